import type { Finding } from '../finding.ts';
import { gateOf, generatedBy, isLockFile, isSnapshot } from '../paths.ts';
import type { ChangedFile } from '../changed-file.ts';
import type { Detector } from './detector.ts';

/** What a path alone tells, also of a file whose content was not read. */
export const changedPaths: Detector = ({ result, files }) =>
  result.evidence.changes.flatMap(({ path, kind, from }): Finding[] => {
    const file = files.find((one) => one.path === path);
    const at = (finding: Pick<Finding, 'kind' | 'detail'>): Finding => ({
      ...finding,
      file: path,
      ...place(file),
    });
    const found: Finding[] = [];
    const gate = gateOf(path) ?? (from === undefined ? null : gateOf(from));
    if (gate !== null)
      found.push(
        at({ kind: 'gate-config-changed', detail: `${kind}: it configures ${gate}${lowered(file)}` }),
      );
    if (isSnapshot(path) && kind !== 'added')
      found.push(
        at({ kind: 'snapshot-rewritten', detail: `${kind}: what the tests expect was written anew` }),
      );
    if (isLockFile(path))
      found.push(at({ kind: 'lock-file-changed', detail: `${kind}: other versions may be installed` }));
    const generated = generatedBy(path) ?? generatedHeader(file);
    if (generated !== null && kind !== 'added')
      found.push(at({ kind: 'generated-edited', detail: generated }));
    return found;
  });

/** The first line that changed. */
function place(file: ChangedFile | undefined): Pick<Finding, 'line' | 'side' | 'text'> {
  const added = file?.newLines[0];
  const gone = file?.goneLines[0];
  if (added) return { line: added.line, side: 'after', text: added.text.trim().slice(0, 200) };
  if (gone) return { line: gone.line, side: 'before', text: gone.text.trim().slice(0, 200) };
  return { line: null, side: null, text: '' };
}

const THRESHOLD =
  /["']?\b(branches|functions|lines|statements|fail[_-]under|fail_under|threshold|minimum|target|min-coverage|check-coverage|strict\w*|noImplicit\w*|noUnchecked\w*|exactOptional\w*|disallow_\w+|warn_\w+|max-warnings)["']?\s*[=: ]\s*["']?(\d+(?:\.\d+)?|true|false)/i;

/** A limit that fell, or a switch that went off, is said in the same breath. */
function lowered(file: ChangedFile | undefined): string {
  if (!file) return '';
  const before = file.goneLines.flatMap(({ text }) => settingIn(text));
  const now = file.newLines.flatMap(({ text }) => settingIn(text));
  const worse = now.flatMap(({ name, value }) => {
    const old = before.find((one) => one.name === name);
    return old && isWorse(name, old.value, value) ? [`${name} from ${old.value} to ${value}`] : [];
  });
  return worse.length > 0 ? `; less is demanded: ${worse.join(', ')}` : '';
}

function settingIn(text: string): { name: string; value: string }[] {
  const match = THRESHOLD.exec(text.slice(0, 500));
  return match ? [{ name: match[1] ?? '', value: match[2] ?? '' }] : [];
}

function isWorse(name: string, was: string, now: string): boolean {
  if (was === 'true' && now === 'false') return true;
  const rises = /max-warnings/i.test(name);
  return rises ? Number(now) > Number(was) : Number(now) < Number(was);
}

/** Said by the file itself, in its first lines, before the run. */
function generatedHeader(file: ChangedFile | undefined): string | null {
  const head = file?.before?.text.slice(0, 1000) ?? '';
  const said =
    /^.{0,10}(?:@generated\b|.*\bDO NOT (?:EDIT|MODIFY)\b|.*\bauto-?generated\b.{0,40}(?:by|from|file))/im.exec(
      head
        .split('\n')
        .slice(0, 8)
        .filter((line) => /^\s*(?:\/\/|\/?\*|#|<!--|--|;)/.test(line))
        .join('\n'),
    );
  return said ? `it says of itself that it is generated: ${said[0].trim().slice(0, 80)}` : null;
}
