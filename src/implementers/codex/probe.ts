import { askVersion } from '../ask-version.ts';
import { inEmptyFolder } from '../empty-folder.ts';
import type { Probe, ProbeRequest } from '../implementer.ts';
import { featuresOf } from './features.ts';
import { codexSettings } from './settings.ts';

/** Finds the CLI on the child's own PATH, asks for its version and its flags, and looks at what could undo the sandbox. */
export async function probeCodex(request: ProbeRequest): Promise<Probe> {
  const [found, settings] = await Promise.all([ask(request), codexSettings(request)]);
  const { features, ...version } = found;
  const ignoresRules = features.includes('exec --ignore-rules');
  return {
    ...version,
    features: [...features, ...settings.mcpServers.map((name) => `mcp ${name}`)],
    warnings: [...settings.warnings, ...(ignoresRules ? [] : settings.ruleWarnings)],
  };
}

async function ask(
  request: ProbeRequest,
): Promise<Omit<Probe, 'warnings'> & { features: readonly string[] }> {
  const found = await askVersion('codex', request);
  const { answer, binary, version } = found;
  if (answer !== 'ok' || binary === null || version === null) return { ...found, features: [] };
  const { env, limitMs, signal, stateHome } = request;
  const features = await inEmptyFolder((cwd) =>
    featuresOf({ binary, version, env, cwd, limitMs, signal, stateHome }),
  );
  return { ...found, features };
}
