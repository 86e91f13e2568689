// The seeds of seeds.yaml as trees before and after.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** @returns {{ project: Record<string, string>, seeds: object[], harmless: object[] }} */
export function readSeeds() {
  return parse(readFileSync(fileURLToPath(new URL('seeds.yaml', import.meta.url)), 'utf8'));
}

/** The files of the project after the seed. */
export function seeded(project, { file, edit, rename, also, name }) {
  const files = { ...project };
  if (rename) {
    files[rename] = files[file];
    delete files[file];
  } else if (edit === null) delete files[file];
  else if (typeof edit === 'string') files[file] = filled(edit);
  else for (const [from, to] of edit) files[file] = replaced(files[file], from, filled(to), name);
  if (also) files[also[0]] = replaced(files[also[0]], also[1], also[2], name);
  return files;
}

function replaced(text, from, to, name) {
  if (!text.includes(from)) throw new Error(`the seed "${name}" edits a text that is not there: ${from}`);
  return text.replace(from, () => to);
}

/** What has the form of a secret is made here, so that no scanner takes this file for one that holds some. */
function filled(text) {
  return text.replace(/\{\{(\w+)\}\}/g, (_, what) =>
    what === 'RSA' ? 'RSA PRIVATE' : 'A1B2C3D4E5F6G7H8J9K0'.repeat(2).slice(0, Number(what)),
  );
}
