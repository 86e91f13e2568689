import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { runCommand } from '../../../core/command.ts';
import type { ToolOutcome } from '../records.ts';
import type { Stage } from '../stage.ts';
import type { StepKinds } from '../step-kind.ts';

const LIMIT_MS = 600_000;
const IDENTITY = '-c user.name=scripted -c user.email=scripted@localhost';

/** Commands that are really run, among them everything that an implementer must not do to a repository. */
export const commandSteps: StepKinds = {
  run: {
    keys: ['command'],
    shorthand: 'command',
    read(fields) {
      const command = fields.text('command');
      return (stage) => bash(stage, command);
    },
  },

  commit: {
    keys: ['message', 'all'],
    shorthand: 'message',
    read(fields) {
      const message = fields.text('message');
      const add = fields.flag('all', true) ? 'git add -A && ' : '';
      return async (stage) => {
        const done = await bash(stage, `${add}git ${IDENTITY} commit -q --allow-empty -m ${quote(message)}`);
        if (done.ok) stage.emit(stage.records.committed());
      };
    },
  },

  tag: {
    keys: ['name'],
    shorthand: 'name',
    read(fields) {
      const name = fields.text('name');
      return (stage) => bash(stage, `git tag ${quote(name)}`);
    },
  },

  branch: {
    keys: ['name', 'switch'],
    shorthand: 'name',
    read(fields) {
      const verb = fields.flag('switch') ? 'switch -q -c' : 'branch';
      const name = fields.text('name');
      return (stage) => bash(stage, `git ${verb} ${quote(name)}`);
    },
  },

  stash: {
    keys: ['message'],
    shorthand: 'message',
    read(fields) {
      const message = fields.optionalText('message') ?? 'scripted';
      return (stage) => bash(stage, `git ${IDENTITY} stash push -q -u -m ${quote(message)}`);
    },
  },

  'git-config': {
    keys: ['key', 'value'],
    read(fields) {
      const key = fields.text('key');
      const value = fields.text('value');
      return (stage) => bash(stage, `git config ${quote(key)} ${quote(value)}`);
    },
  },

  'plant-hook': {
    keys: ['name', 'script'],
    shorthand: 'name',
    read(fields) {
      const name = fields.text('name');
      if (!/^[a-z-]+$/.test(name))
        fields.fail('name', `must be the name of a git hook, not ${JSON.stringify(name)}`);
      const script = fields.optionalText('script') ?? '#!/bin/sh\n';
      return async (stage) => {
        const found = await shell(stage, `git rev-parse --git-path hooks/${name}`);
        const path = resolve(stage.cwd, found.content);
        await stage.tool('Bash', { command: `cat > ${found.content}; chmod +x ${found.content}` }, () => {
          if (!found.ok) return found;
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, script);
          chmodSync(path, 0o755);
          return { ...found, content: '' };
        });
      };
    },
  },
};

function bash(stage: Stage, command: string): Promise<ToolOutcome> {
  return stage.tool('Bash', { command }, () => shell(stage, command));
}

/** Runs a command in a session of its own, as the real CLI's tool shell is; stdout and stderr are one output. */
async function shell(stage: Stage, command: string): Promise<ToolOutcome> {
  const run = await runCommand({
    file: 'sh',
    args: ['-c', `exec 2>&1\n${command}`],
    cwd: stage.cwd,
    env: stage.env,
    timeoutMs: LIMIT_MS,
    signal: stage.stop,
  });
  const stdout = run.stdout.toString('utf8').replace(/\n+$/, '');
  if (run.code === 0) {
    return { content: stdout, ok: true, detail: { stdout, stderr: '', interrupted: false, isImage: false } };
  }
  const end =
    run.failure?.message ??
    (run.code === null ? `Ended by ${run.signal ?? run.end}` : `Exit code ${run.code}`);
  return { content: stdout === '' ? end : `${end}\n${stdout}`, ok: false, detail: null };
}

/** One word for the shell, whatever it holds. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
