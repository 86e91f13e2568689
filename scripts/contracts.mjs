// Writes the JSON Schema files of docs/contracts from the zod schemas, which are the source.
//   node scripts/contracts.mjs           writes them
//   node scripts/contracts.mjs --check   writes nothing; exit 1 where a committed file is stale
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { toJSONSchema } from 'zod';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

const CONTRACTS = [
  { file: 'result.schema.json', module: 'src/rundir/result-schema.ts', schema: 'resultSchema' },
  { file: 'run.schema.json', module: 'src/rundir/live-schema.ts', schema: 'liveSchema' },
  { file: 'gates.schema.json', module: 'src/gates/record-schema.ts', schema: 'gatesSchema' },
  { file: 'landing.schema.json', module: 'src/landing/record-schema.ts', schema: 'landingSchema' },
  // What people write is closed: an editor shall mark a misspelt field, as baton refuses it.
  {
    file: 'baton.config.schema.json',
    module: 'src/gates/config-schema.ts',
    schema: 'configSchema',
    closed: true,
  },
];

const check = process.argv.includes('--check');
for (const { file, module, schema, closed = false } of CONTRACTS) {
  const path = join(PROJECT, 'docs', 'contracts', file);
  const loaded = await load(join(PROJECT, module));
  const fresh = `${JSON.stringify(jsonSchema(file, loaded[schema], closed), null, 2)}\n`;
  if (!check) writeFileSync(path, fresh);
  else if (readIfThere(path) !== fresh) {
    console.error(`${relative(PROJECT, path)} is not what its schema says: run node scripts/contracts.mjs`);
    process.exitCode = 1;
  }
}

// The oldest Node that is supported runs no TypeScript, so the build tool loads it.
async function load(file) {
  const { module } = await runnerImport(file, { root: PROJECT, configFile: false, logLevel: 'error' });
  return module;
}

// Whoever reads a result has to accept the fields of newer versions, so the published schema is open where the one that
// baton writes by is closed.
function jsonSchema(file, schema, closed) {
  const { $schema, ...rest } = toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: closed ? 'input' : 'output',
    override: ({ jsonSchema }) => {
      if (!closed && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return { $schema, $id: `urn:baton-relay:${file}`, ...rest };
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
