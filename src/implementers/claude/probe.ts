import { askVersion } from '../ask-version.ts';
import type { Probe, ProbeRequest } from '../implementer.ts';
import { childEnvironment } from './plan.ts';
import { managedFolder, settingsWarnings } from './settings.ts';

/** Finds the CLI on the child's own PATH, asks for its version, and looks at what could undo the profile. */
export async function probeClaude(request: ProbeRequest): Promise<Probe> {
  const { env, cwd, platform, profile } = request;
  const found = askVersion('claude', { ...request, env: childEnvironment(env, platform) });
  // A read-only run has no shell, hence no sandbox to undo.
  const warnings =
    profile === 'read-only'
      ? []
      : settingsWarnings({ env, cwd, platform, managedFolder: managedFolder(platform) });
  return { ...(await found), warnings };
}
