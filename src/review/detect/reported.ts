import { oneLine, truncate } from '../../core/text.ts';
import type { AgentReport, Change, ReportedGate } from '../../rundir/result.ts';
import type { Finding, FindingKind } from '../finding.ts';
import { isCommand, laterEdit, unsupported } from './claim.ts';
import { type Detector, everChanged, type Reviewed } from './detector.ts';

/** The implementer's own report, item by item, held against what is known. */
export const reported: Detector = (run) => {
  const { report } = run.result.agent;
  if (!report) return [];
  return [
    ...(report.gates ?? []).flatMap((gate) => gateFinding(gate, run)),
    ...fileFindings(report, run),
    ...(report.deviations ?? []).map((text) => told('deviation-reported', text, 'it left the brief here')),
    ...(report.questions ?? []).map((text) => told('deviation-reported', text, 'it needs an answer')),
  ];
};

/** A gate that it says has passed, where baton's own gate failed, or its own last call of that command did. */
function gateFinding({ command, outcome, note }: ReportedGate, { gates, calls }: Reviewed): Finding[] {
  if (outcome !== 'passed') return [];
  const said = `${command}: ${note}`;
  const own = gates?.filter((gate) => sameCommand(gate.command, command) || gate.name === command) ?? [];
  if (own.some((gate) => gate.outcome === 'failed'))
    return [unsupported(said, `its report says that \`${command}\` passed; baton ran it, and it failed`)];
  if (own.some((gate) => gate.outcome === 'passed')) return [];
  const last = calls.findLast(
    (call) => call.command !== null && oneLine(call.command).includes(oneLine(command)),
  );
  if (!last && !isCommand(command)) return [];
  if (!last)
    return [unsupported(said, `its report says that \`${command}\` passed; it was not seen in its stream`)];
  if (last.ok === false)
    return [unsupported(said, `its report says that \`${command}\` passed; the last time it ran, it failed`)];
  const edited = laterEdit(calls, last);
  return edited === null
    ? []
    : [unsupported(said, `its report says that \`${command}\` passed; ${edited} was edited after that`)];
}

function sameCommand(one: string, other: string): boolean {
  return oneLine(one).trim() === oneLine(other).trim();
}

/** Files that it lists and did not change, and those that it changed and does not list. */
function fileFindings({ files }: AgentReport, run: Reviewed): Finding[] {
  const { evidence } = run.result;
  if (files === null || evidence.tree === 'unknown' || !evidence.coverage.complete) return [];
  const invented = files
    .filter(
      ({ path, note }) =>
        !everChanged(run).some((change) => isListed(path, change.path, change.from)) &&
        !/\b(?:not|un)[ -]?(?:changed|touched)\b/i.test(note),
    )
    .map(({ path, note }) =>
      unsupported(`${path}: ${note}`, `its report lists ${path}; no file of that name was changed`),
    );
  const unlisted = evidence.changes
    .filter(({ path, from }) => !files.some((file) => isListed(file.path, path, from)))
    .filter((change) => !isEarlier(change, run))
    .map(
      ({ path }): Finding => ({
        ...told('report-incomplete', path, 'the run changed it, and its report does not list it'),
        file: path,
      }),
    );
  return [...invented, ...unlisted];
}

/** In a chain: what an earlier run changed, and told of where it reported, need not be told again. */
function isEarlier({ path, from }: Change, { runs = [] }: Reviewed): boolean {
  const last = runs.at(-1);
  if (!last || last.evidence.changes.some((change) => change.path === path)) return false;
  return runs.slice(0, -1).some(({ agent, evidence }) => {
    const told = agent.report?.files ?? evidence.changes;
    return told.some((one) => isListed(one.path, path, from));
  });
}

/** Named whole, by its end, or by a folder that holds it. */
function isListed(listed: string, path: string, from: string | undefined): boolean {
  const wanted = listed.replace(/^\.\//, '').replace(/\/$/, '');
  return [path, from].some(
    (one) =>
      one !== undefined &&
      (one === wanted ||
        one.endsWith(`/${wanted}`) ||
        wanted.endsWith(`/${one}`) ||
        one.startsWith(`${wanted}/`)),
  );
}

function told(kind: FindingKind, text: string, detail: string): Finding {
  return { kind, file: null, line: null, side: null, text: truncate(oneLine(text), 200), detail };
}
