import type { Implementer } from '../implementer.ts';
import { codexContainment } from './containment.ts';
import { createCodexReader } from './events.ts';
import { codexFalseStart } from './false-start.ts';
import { planCodex } from './plan.ts';
import { probeCodex } from './probe.ts';
import { SANDBOX_MODE } from './sandbox.ts';

/** Codex CLI, run headless: `codex exec`. */
export const codex: Implementer = {
  id: 'codex',
  unavailable: 'codex_unavailable',
  capabilities: {
    resume: true,
    resumeLast: true,
    readOnly: true,
    model: true,
    effort: true,
    maxTurns: false,
    maxBudgetUsd: false,
    autocompact: false,
    // Its bypass has a name of its own: --sandbox danger-full-access.
    bypass: false,
    sandboxModes: true,
    ephemeral: true,
    cleanEnv: true,
    skipGitRepoCheck: true,
    // Its sandbox knows the network as a whole, and no hosts.
    allowDomains: false,
    resumeUnrecorded: false,
    keepsProfile: true,
    ownTemp: true,
  },
  refuse: () => null,
  probe: probeCodex,
  inspect: async (request) => (await import('./inspect.ts')).inspectCodex(request),
  plan: planCodex,
  containment: codexContainment,
  reader: () => createCodexReader(),
  ownFields: ({ version, claim, profile, session, resumedFrom, cleanEnv, keepEnv }) => ({
    codexVersion: version,
    threadId: claim.sessionId ?? resumedFrom,
    session,
    sandbox: SANDBOX_MODE[profile],
    cleanEnv,
    keepEnv: [...keepEnv],
  }),
  falseStart: codexFalseStart,
};
