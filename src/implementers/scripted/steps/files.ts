import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Fields } from '../fields.ts';
import { placeOf } from '../places.ts';
import type { ToolOutcome } from '../records.ts';
import type { StepKinds } from '../step-kind.ts';

/** Work on files: the ones with a tool of their own are reported as it, the others as the shell command they stand for. */
export const fileSteps: StepKinds = {
  write: {
    keys: ['path', 'content', 'base64', 'size', 'outside'],
    read(fields) {
      const place = placeOf(fields, 'path');
      const content = contentOf(fields);
      return (stage) => {
        const path = stage.locate(place);
        return stage.tool('Write', { file_path: path, content: shown(content) }, () => {
          const existed = existsSync(path);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, content);
          return fileOutcome(`File ${existed ? 'updated' : 'created'} successfully at: ${path}`, {
            type: existed ? 'update' : 'create',
            filePath: path,
          });
        });
      };
    },
  },

  append: {
    keys: ['path', 'content', 'base64', 'size', 'outside'],
    read(fields) {
      const place = placeOf(fields, 'path');
      const content = contentOf(fields);
      return (stage) => {
        const path = stage.locate(place);
        return stage.tool('Bash', { command: `cat >> ${place.path}` }, () => {
          mkdirSync(dirname(path), { recursive: true });
          appendFileSync(path, content);
          return shellOutcome();
        });
      };
    },
  },

  edit: {
    keys: ['path', 'old', 'new', 'outside'],
    read(fields) {
      const place = placeOf(fields, 'path');
      const before = fields.text('old');
      const after = fields.text('new');
      if (before === '') fields.fail('old', 'must not be empty');
      return (stage) => {
        const path = stage.locate(place);
        return stage.tool('Edit', { file_path: path, old_string: before, new_string: after }, () => {
          const text = readFileSync(path, 'utf8');
          if (!text.includes(before)) throw new Error(`String to replace not found in file: ${place.path}`);
          writeFileSync(
            path,
            text.replace(before, () => after),
          );
          return fileOutcome(`The file ${path} has been updated successfully.`, { filePath: path });
        });
      };
    },
  },

  delete: {
    keys: ['path', 'outside'],
    shorthand: 'path',
    read(fields) {
      const place = placeOf(fields, 'path');
      return (stage) => {
        const path = stage.locate(place, false);
        return stage.tool('Bash', { command: `rm -r ${place.path}` }, () => {
          rmSync(path, { recursive: true });
          return shellOutcome();
        });
      };
    },
  },

  rename: {
    keys: ['from', 'to', 'outside'],
    read(fields) {
      const from = placeOf(fields, 'from');
      const to = placeOf(fields, 'to');
      return (stage) => {
        const source = stage.locate(from, false);
        const target = stage.locate(to, false);
        return stage.tool('Bash', { command: `mv ${from.path} ${to.path}` }, () => {
          mkdirSync(dirname(target), { recursive: true });
          renameSync(source, target);
          return shellOutcome();
        });
      };
    },
  },

  chmod: {
    keys: ['path', 'mode', 'outside'],
    read(fields) {
      const place = placeOf(fields, 'path');
      const mode = fields.text('mode');
      if (!/^[0-7]{3,4}$/.test(mode))
        fields.fail('mode', `must be octal digits in quotes, such as "755", not "${mode}"`);
      return (stage) => {
        const path = stage.locate(place);
        return stage.tool('Bash', { command: `chmod ${mode} ${place.path}` }, () => {
          chmodSync(path, Number.parseInt(mode, 8));
          return shellOutcome();
        });
      };
    },
  },

  link: {
    keys: ['path', 'target', 'outside'],
    read(fields) {
      const place = placeOf(fields, 'path');
      const target = fields.text('target');
      return (stage) => {
        const path = stage.locate(place, false);
        return stage.tool('Bash', { command: `ln -sfn ${target} ${place.path}` }, () => {
          mkdirSync(dirname(path), { recursive: true });
          if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
          symlinkSync(target, path);
          return shellOutcome();
        });
      };
    },
  },

  read: {
    keys: ['path', 'outside'],
    shorthand: 'path',
    read(fields) {
      const place = placeOf(fields, 'path');
      return (stage) => {
        const path = stage.locate(place);
        return stage.tool('Read', { file_path: path }, () => {
          const content = readFileSync(path, 'utf8');
          const lines = content.split('\n');
          return fileOutcome(lines.map((line, index) => `${index + 1}\t${line}`).join('\n'), {
            type: 'text',
            file: { filePath: path, content, numLines: lines.length, startLine: 1, totalLines: lines.length },
          });
        });
      };
    },
  },
};

function contentOf(fields: Fields): string | Uint8Array {
  const key = fields.oneOf(['content', 'base64', 'size']);
  if (key === 'content') return fields.text('content');
  if (key === 'base64') return fields.bytes('base64');
  return Buffer.alloc(fields.size('size'), 'baton ');
}

/** Content as a record shows it: what is no text is named by its size. */
function shown(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : `(${content.length} bytes)`;
}

function fileOutcome(content: string, detail: unknown): ToolOutcome {
  return { content, ok: true, detail };
}

function shellOutcome(): ToolOutcome {
  return { content: '', ok: true, detail: { stdout: '', stderr: '', interrupted: false } };
}
