import { readdirSync } from 'node:fs';
import type { Env } from '../../core/environment.ts';
import { stateHome } from '../../core/state-home.ts';
import { BATON_VERSION } from '../../core/version.ts';
import { versionOf } from '../../skills/own-skill.ts';
import type { FileBlock } from '../../answers/file-block.ts';
import { lookIn } from '../look.ts';
import { isSameText, type Owner, ownerOf } from '../ownership.ts';
import { publicationFolder, readPublished } from '../publication-folder.ts';
import { RootFolder } from '../root-folder.ts';
import { isLater } from './shipped-skill.ts';
import { type SkillPlace, standing } from './skill-place.ts';

/** `older` and `newer`: as another version of baton left it. `edited`: a person changed it, or wrote it. */
export type SkillState = 'absent' | 'installed' | 'older' | 'newer' | 'edited';

/** The skill as it lies in one place. */
export interface InstalledSkill {
  state: SkillState;
  /** Of baton, as its `SKILL.md` says; null where it does not. */
  version: string | null;
  /** Files that are not as baton left them. Paths in the skill's folder, as are all others. */
  edited: string[];
  /** Baton's own files that this version does not have any more. */
  obsolete: string[];
  /** All files that are there. */
  files: string[];
  /** What is in the way, for a person. */
  problems: string[];
}

interface Found {
  path: string;
  text: string;
  owner: Owner;
}

const MAX_DEPTH = 3;

/** Looks at a place. Never throws for what lies there. */
export function inspectSkill(place: SkillPlace, shipped: readonly FileBlock[], env: Env): InstalledSkill {
  const { found, problems } = filesAt(place, env);
  const texts = new Map(shipped.map(({ path, content }) => [path, content]));
  const same = new Set(
    found.filter(({ path, text }) => isSameText(text, texts.get(path) ?? '')).map(({ path }) => path),
  );
  const edited = found.filter(
    ({ path, owner }) => !same.has(path) && (owner === 'edited' || (owner === 'person' && texts.has(path))),
  );
  const ours = found.filter(({ path, owner }) => same.has(path) || owner === 'baton');
  const obsolete = ours.filter(({ path }) => !texts.has(path)).map(({ path }) => path);
  const whole = shipped.every(({ path }) => same.has(path)) && obsolete.length === 0;
  const version = versionOf(found.find(({ path }) => path === 'SKILL.md')?.text ?? '');
  return {
    state: edited.length > 0 ? 'edited' : ours.length === 0 ? 'absent' : whole ? 'installed' : ageOf(version),
    version,
    edited: edited.map(({ path }) => path),
    obsolete,
    files: found.map(({ path }) => path),
    problems,
  };
}

function ageOf(version: string | null): SkillState {
  return version !== null && isLater(version, BATON_VERSION) ? 'newer' : 'older';
}

function filesAt(place: SkillPlace, env: Env): { found: Found[]; problems: string[] } {
  const { root: path, below } = standing(place);
  const root = RootFolder.open(path);
  try {
    const published = readPublished(publicationFolder(stateHome(env), root.path));
    const found: Found[] = [];
    const problems: string[] = [];
    const visit = (folder: string, depth: number): void => {
      const entered = root.within(`${below}${folder}`, (open) => {
        for (const entry of readdirSync(open.at('.'), { withFileTypes: true })) {
          const name = `${folder}/${entry.name}`;
          if (entry.isDirectory()) {
            if (depth < MAX_DEPTH) visit(name, depth + 1);
            continue;
          }
          const seen = lookIn(open, entry.name);
          if (seen.kind === 'blocked') problems.push(`${name.slice(1)}: ${seen.reason}`);
          if (seen.kind !== 'file') continue;
          const owner = ownerOf(seen.bytes, published.get(`${place.below}${name}`) ?? []);
          found.push({ path: name.slice(1), text: seen.bytes.toString('utf8'), owner });
        }
      });
      if ('reason' in entered) problems.push(entered.reason);
    };
    visit('', 0);
    return { found: found.sort((a, b) => (a.path < b.path ? -1 : 1)), problems };
  } finally {
    root.close();
  }
}
