import type { Command } from '@commander-js/extra-typings';
import type { ExitCode, Io } from './io.ts';

/** One command of `baton`. Its module is loaded only when it is the one that was asked for. */
export interface CommandEntry {
  name: string;
  summary: string;
  /** What it shows or does depends on the tree as it is: an interrupted landing or publication is mended before. */
  looksAtTree?: true;
  /** It mends an interrupted landing itself. */
  mendsLandings?: true;
  load: () => Promise<(command: Command, io: Io, done: (code: ExitCode) => void) => void>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'dispatch',
    summary: 'hand a brief to an implementer and keep the proof',
    looksAtTree: true,
    load: async () => {
      const { configureDispatch } = await import('./dispatch.ts');
      return (command, io, done) =>
        configureDispatch(
          command,
          io,
          { gates: () => import('./gated-dispatch.ts'), briefs: () => import('./check-brief.ts') },
          done,
        );
    },
  },
  {
    name: 'diff',
    summary: 'show exactly what a run changed',
    looksAtTree: true,
    load: async () => (await import('./diff.ts')).configureDiff,
  },
  {
    name: 'show',
    summary: 'show the result and the profile of a run',
    looksAtTree: true,
    load: async () => (await import('./show.ts')).configureShow,
  },
  {
    name: 'check',
    summary: "run the project's gates on what a run left",
    looksAtTree: true,
    load: async () => (await import('./check.ts')).configureCheck,
  },
  {
    name: 'gates',
    summary: 'list, approve or find the commands that must pass',
    load: async () => (await import('./gates.ts')).configureGates,
  },
  {
    name: 'lanes',
    summary: 'named sets of dials: list, set, approve',
    load: async () => (await import('./lanes.ts')).configureLanes,
  },
  {
    name: 'review',
    summary: 'gather what to look at first in what a run changed',
    looksAtTree: true,
    load: async () => (await import('./review.ts')).configureReview,
  },
  {
    name: 'land',
    summary: 'commit exactly what a run changed',
    looksAtTree: true,
    mendsLandings: true,
    load: async () => (await import('./land.ts')).configureLand,
  },
  {
    name: 'rework',
    summary: 'send a run back with a brief that says what is still wrong',
    looksAtTree: true,
    mendsLandings: true,
    load: async () => (await import('./rework.ts')).configureRework,
  },
  {
    name: 'discard',
    summary: 'take what a run changed back out of the working tree',
    looksAtTree: true,
    mendsLandings: true,
    load: async () => (await import('./discard.ts')).configureDiscard,
  },
  {
    name: 'undo',
    summary: 'take the last landing, or the last discard, back',
    looksAtTree: true,
    mendsLandings: true,
    load: async () => (await import('./undo.ts')).configureUndo,
  },
  {
    name: 'ask',
    summary: 'ask an implementer for a text, read-only',
    load: async () => (await import('./ask.ts')).configureAsk,
  },
  {
    name: 'brief',
    summary: 'begin a brief, or see what it lacks',
    load: async () => (await import('./briefs.ts')).configureBrief,
  },
  {
    name: 'rehearse',
    summary: 'run the real CLI against a scripted model, at no cost',
    load: async () => (await import('./rehearse.ts')).configureRehearse,
  },
  {
    name: 'discover',
    summary: 'find the agent CLIs of this machine',
    load: async () => (await import('./discover.ts')).configureDiscover,
  },
  {
    name: 'skills',
    summary: "read, check and write this repository's skills",
    looksAtTree: true,
    load: async () => (await import('./skills.ts')).configureSkills,
  },
  {
    name: 'skill',
    summary: "install baton's own skill, which teaches an agent to delegate",
    looksAtTree: true,
    load: async () => (await import('./skill.ts')).configureSkill,
  },
  {
    name: 'hooks',
    summary: 'install the hooks that activate skills, and see what the CLIs do with them',
    looksAtTree: true,
    load: async () => (await import('./hooks.ts')).configureHooks,
  },
  {
    name: 'prompts',
    summary: 'list, render or approve the prompts that implementers are asked with',
    load: async () => (await import('./prompts.ts')).configurePrompts,
  },
  {
    name: 'doctor',
    summary: 'see whether a dispatch would start here, and what mends it',
    load: async () => (await import('./doctor.ts')).configureDoctor,
  },
  {
    name: 'demo',
    summary: 'see all of it in a minute, without an account',
    load: async () => (await import('./demo.ts')).configureDemo,
  },
  {
    name: 'completion',
    summary: 'print the completion of your shell',
    load: async () => (await import('./completion.ts')).configureCompletion,
  },
];
