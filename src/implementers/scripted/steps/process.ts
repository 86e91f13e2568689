import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { ToolOutcome } from '../records.ts';
import type { Stage } from '../stage.ts';
import type { StepKinds } from '../step-kind.ts';

const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGSEGV', 'SIGABRT'] as const;
const MOST_SECONDS = 600;

interface Grandchild {
  ownSession: boolean;
  holdStdout: boolean;
  ignoreTerm: boolean;
  clearEnvironment: boolean;
  seconds: number;
}

/** How the process behaves: time, signals, what it leaves behind, and how it goes. */
export const processSteps: StepKinds = {
  sleep: {
    keys: ['for'],
    shorthand: 'for',
    read(fields) {
      const ms = fields.delay('for');
      return () => wait(ms);
    },
  },

  'ignore-term': {
    keys: [],
    read: () => (stage) => {
      stage.onTerm = 'ignore';
    },
  },

  'exit-zero-on-term': {
    keys: [],
    read: () => (stage) => {
      stage.onTerm = 'exit-zero';
    },
  },

  grandchild: {
    keys: ['seconds', 'own-session', 'hold-stdout', 'ignore-term', 'clear-environment'],
    read(fields) {
      const child: Grandchild = {
        ownSession: fields.flag('own-session'),
        holdStdout: fields.flag('hold-stdout'),
        ignoreTerm: fields.flag('ignore-term'),
        clearEnvironment: fields.flag('clear-environment'),
        seconds: fields.whole('seconds', 1, MOST_SECONDS, 60),
      };
      return (stage) => leaveBehind(stage, child);
    },
  },

  'hold-stdout': {
    keys: ['seconds'],
    shorthand: 'seconds',
    read(fields) {
      const seconds = fields.whole('seconds', 1, MOST_SECONDS, 60);
      return (stage) =>
        leaveBehind(stage, {
          ownSession: true,
          holdStdout: true,
          ignoreTerm: false,
          clearEnvironment: false,
          seconds,
        });
    },
  },

  exit: {
    keys: ['code'],
    shorthand: 'code',
    ends: true,
    read(fields) {
      const code = fields.whole('code', 0, 255);
      return (stage) => {
        stage.left = true;
        stage.exitCode = code;
      };
    },
  },

  signal: {
    keys: ['name'],
    shorthand: 'name',
    ends: true,
    read(fields) {
      const name = fields.choice('name', SIGNALS, 'SIGKILL');
      return async () => {
        process.removeAllListeners(name);
        process.kill(process.pid, name);
        // The signal may arrive a moment later: the play must not go on meanwhile.
        await wait(10_000);
      };
    },
  },
};

/** Starts a process that outlives the player, and says its id as a background command's would be said. */
function leaveBehind(stage: Stage, child: Grandchild): Promise<ToolOutcome> {
  const sleep = `exec sleep ${child.seconds}`;
  // What is ignored stays ignored in the program that takes the shell's place.
  const command = child.ignoreTerm ? `trap '' TERM; ${sleep}` : sleep;
  return stage.tool('Bash', { command: `${command} &`, run_in_background: true }, async () => {
    const started = spawn('/bin/sh', ['-c', command], {
      cwd: stage.cwd,
      env: child.clearEnvironment ? {} : stage.env,
      detached: child.ownSession,
      stdio: child.holdStdout ? ['ignore', 1, 2] : 'ignore',
    });
    await new Promise((resolve, reject) => {
      started.once('spawn', resolve);
      started.once('error', reject);
    });
    started.unref();
    return {
      content: `Running in the background with process id ${started.pid}`,
      ok: true,
      detail: { pid: started.pid },
    };
  });
}
