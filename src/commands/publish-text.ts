import type {
  PublishedFile,
  PublishOutcome,
  PublishRecovery,
  PublishStatus,
  UndoneFile,
  UndoOutcome,
} from '../publishing/publish-contract.ts';
import { paintPatchLine } from './colour-patch.ts';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

/** What was published, or of a dry run would be: one line a file, and then what would change. */
export function publishText({ files }: Pick<PublishOutcome, 'files'>, style: Style): string {
  const lines = files.map((file) => fileLine(file, style));
  const diffs = files.flatMap(({ diff }) => (diff === undefined ? [] : ['', ...diffLines(diff, style)]));
  return [...lines, ...diffs].map((line) => `${line}\n`).join('');
}

/** What was taken back. */
export function undoText({ publication, files }: UndoOutcome, style: Style): string {
  const lines = files.map(({ path, status }) => `${UNDONE[status](style)} ${visible(path)}`);
  return [`Took publication ${publication} back:`, ...lines].map((line) => `${line}\n`).join('');
}

/** Says at once what was made of an interrupted publication: the command itself may be refused after that. */
export function tellPublishRecovery(
  io: { stderr: { write(text: string): unknown } },
  recovery: PublishRecovery | null,
): void {
  if (!recovery) return;
  const { kind, root, outcome, mended, left } = recovery;
  const what = kind === 'publish' ? 'an interrupted publication' : 'an interrupted undo of a publication';
  const did = outcome === 'completed' ? 'was completed now' : 'was taken back: nothing of it is left';
  const written =
    outcome === 'taken-back' ? 'put back as before' : kind === 'publish' ? 'written' : 'taken back';
  const said = [
    `${what} in ${visible(root)} ${did}`,
    ...(mended.length > 0 ? [`${written}: ${mended.map(visible).join(', ')}`] : []),
    ...(left.length > 0 ? [`changed meanwhile, left so: ${left.map(visible).join(', ')}`] : []),
  ];
  for (const line of said) io.stderr.write(`baton: ${line}\n`);
}

type Paint = (style: Style) => string;

const STATUS: { [status in PublishStatus]: Paint } = {
  created: ({ green }) => green('created     '),
  updated: ({ yellow }) => yellow('updated     '),
  removed: ({ red }) => red('removed     '),
  unchanged: ({ dim }) => dim('unchanged   '),
  skipped: ({ red }) => red('skipped     '),
  'would-create': ({ green }) => green('would create'),
  'would-update': ({ yellow }) => yellow('would update'),
  'would-remove': ({ red }) => red('would remove'),
};

const UNDONE: { [status in UndoneFile['status']]: Paint } = {
  restored: ({ yellow }) => yellow('restored '),
  removed: ({ red }) => red('removed  '),
  unchanged: ({ dim }) => dim('unchanged'),
};

function fileLine({ path, status, reason, forcible }: PublishedFile, style: Style): string {
  const why = reason === undefined ? '' : `: ${visible(reason)}${forcible ? ' (--force writes it)' : ''}`;
  return `${STATUS[status](style)} ${visible(path)}${why}`;
}

function diffLines(diff: string, style: Style): string[] {
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => paintPatchLine(line, style));
}
