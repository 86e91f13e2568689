import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { ARTIFACTS } from '../../src/rundir/layout.ts';
import { resultSchema } from '../../src/rundir/result-schema.ts';
import { PROJECT } from '../support/project.ts';
import { exampleResult } from './example.ts';

const CONTRACTS = join(PROJECT, 'docs', 'contracts');
const text = (file: string): string => readFileSync(join(CONTRACTS, file), 'utf8');

/** Independent of the library that made the schemas. */
function validator(file: string): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    formats: { 'date-time': true },
  });
  return ajv.compile(JSON.parse(text(file)));
}

const without = (key: string): object =>
  Object.fromEntries(Object.entries(exampleResult()).filter(([name]) => name !== key));

const WRONG: [string, object][] = [
  ['another schema', { ...exampleResult(), schema: 'v2' }],
  ['no run id', without('runId')],
  ['no usage at all', without('usage')],
  ['no evidence', without('evidence')],
  ['an unknown status', { ...exampleResult(), status: 'ok' }],
  ['a text for the exit code', { ...exampleResult(), exitCode: '0' }],
  ['a local time', { ...exampleResult(), startedAt: 'Nov 30 16:45' }],
  ['touched files that are no list', { ...exampleResult(), touchedFiles: '' }],
  [
    'a missing field deep inside',
    { ...exampleResult(), stream: { ...exampleResult().stream, bytes: undefined } },
  ],
  [
    'an unknown violation',
    {
      ...exampleResult(),
      evidence: { ...exampleResult().evidence, violations: [{ kind: 'x', detail: 'y', actor: 'z' }] },
    },
  ],
];

const RIGHT: [string, object][] = [
  ['a full one', exampleResult()],
  [
    'outside git',
    exampleResult({
      touchedFiles: null,
      patchPath: null,
      evidence: {
        ...exampleResult().evidence,
        tree: 'unknown',
        beforeTree: null,
        afterTree: null,
        baseCommit: null,
        changes: [],
        coverage: { complete: false, gaps: ['no repository'], ignored: 'not-scanned' },
      },
    }),
  ],
  [
    'without a binary',
    exampleResult({
      status: 'claude_unavailable',
      exitCode: 127,
      claudeVersion: null,
      error: 'no claude',
      stderrTail: [],
      usage: null,
    }),
  ],
  ['read-only', exampleResult({ readOnly: true, readOnlyViolation: null, shellSandbox: 'not-applicable' })],
  ['a vendor that counts oddly', exampleResult({ numTurns: -1.5, totalCostUsd: -1 })],
];

describe('the JSON Schema files', () => {
  it('are what the schemas in the code say', () => {
    const run = spawnSync(process.execPath, [join(PROJECT, 'scripts', 'contracts.mjs'), '--check'], {
      encoding: 'utf8',
    });
    expect(run).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(RIGHT)('accept %s', (_name, value) => {
    const validate = validator('result.schema.json');
    validate(JSON.parse(JSON.stringify(value)));
    expect(validate.errors).toBe(null);
    expect(resultSchema.safeParse(value).error).toBe(undefined);
  });

  it.each(WRONG)('refuse %s', (_name, value) => {
    expect(validator('result.schema.json')(JSON.parse(JSON.stringify(value)))).toBe(false);
    expect(resultSchema.safeParse(JSON.parse(JSON.stringify(value))).success).toBe(false);
  });

  it('are open to the fields of newer versions, where writing is strict', () => {
    const newer = { ...exampleResult(), landed: true };
    expect(validator('result.schema.json')(newer)).toBe(true);
    expect(resultSchema.safeParse(newer).success).toBe(false);
  });

  it('describe run.json', () => {
    const live = {
      schema: 'baton.run.v1',
      runId: 'R1',
      phase: 'running',
      supervisor: { pid: 1, birth: null },
      implementer: { pid: 2, birth: 'then' },
      treeTop: '/repo',
      startedAt: '2026-11-30T16:45:33.271Z',
      heartbeat: '2026-11-30T16:45:33.271Z',
    };
    const validate = validator('run.schema.json');
    expect(validate(live)).toBe(true);
    expect(validate({ ...live, phase: 'asleep' })).toBe(false);
    expect(validate({ ...live, supervisor: null })).toBe(false);
  });
});

describe('the contract pages', () => {
  it('name every field of a result', () => {
    const page = text('result.md');
    const fields = fieldsOf(JSON.parse(text('result.schema.json')));
    expect(fields.length).toBeGreaterThan(80);
    expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
  });

  it('name every type of event', () => {
    const types = [
      ...readFileSync(join(PROJECT, 'src', 'implementers', 'events.ts'), 'utf8').matchAll(
        /type: '([a-z-]+)'/g,
      ),
    ];
    expect(types.length).toBeGreaterThan(8);
    expect(
      types.map(([, type]) => type).filter((type) => !text('events.md').includes(`\`${type}\``)),
    ).toEqual([]);
  });

  it('name every artifact', () => {
    const page = text('run-directory.md');
    expect(Object.values(ARTIFACTS).filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });
});

interface Node {
  properties?: { [name: string]: Node };
  items?: Node;
  anyOf?: Node[];
  additionalProperties?: Node;
}

function fieldsOf(node: Node): string[] {
  const below = [node.items, node.additionalProperties, ...(node.anyOf ?? [])].filter(
    (one) => one !== undefined,
  );
  const own = Object.entries(node.properties ?? {});
  return [
    ...new Set([...own.flatMap(([name, child]) => [name, ...fieldsOf(child)]), ...below.flatMap(fieldsOf)]),
  ];
}
