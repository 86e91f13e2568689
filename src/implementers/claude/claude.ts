import type { Implementer } from '../implementer.ts';
import { claudeContainment } from './containment.ts';
import { createClaudeReader } from './events.ts';
import { planClaude } from './plan.ts';
import { probeClaude } from './probe.ts';
import { refuseRoot } from './refuse-root.ts';

/** Claude Code, run headless: `claude -p`. */
export const claude: Implementer = {
  id: 'claude',
  unavailable: 'claude_unavailable',
  capabilities: {
    resume: true,
    resumeLast: true,
    readOnly: true,
    model: true,
    effort: ['low', 'medium', 'high', 'xhigh', 'max', 'ultracode'],
    maxTurns: true,
    maxBudgetUsd: true,
    autocompact: true,
    bypass: true,
    sandboxModes: false,
    ephemeral: false,
    cleanEnv: false,
    skipGitRepoCheck: false,
    allowDomains: true,
    resumeUnrecorded: true,
    keepsProfile: false,
    ownTemp: false,
  },
  refuse: refuseRoot,
  probe: probeClaude,
  inspect: async (request) => (await import('./inspect.ts')).inspectClaude(request),
  plan: planClaude,
  containment: claudeContainment,
  reader: () => createClaudeReader(),
  ownFields: ({ version, claim, plan, resumedFrom }) => ({
    tool: 'claude',
    claudeVersion: version,
    permissionMode: claim.permissionMode ?? plan.permissionMode,
    sessionId: claim.sessionId ?? resumedFrom,
    resultSubtype: claim.subtype,
  }),
};
