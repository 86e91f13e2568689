import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../support/project.ts';

/** A Node to try the package on. */
export interface NodeToTry {
  /** `oldest` that is supported, newest `lts`, `current`, or `this` one that the tests run on. */
  role: string;
  binary: string;
  /** Where nothing may be skipped, a missing one counts as present, and its tests fail. */
  present: boolean;
}

/** This Node and those of `conformance/nodes`, which `npm test` installs. */
export const NODES: NodeToTry[] = [
  { role: 'this', binary: process.execPath, present: true },
  ...['oldest', 'lts', 'current'].map((role) => {
    const binary = join(PROJECT, 'conformance', 'nodes', 'node_modules', `node-${role}`, 'bin', 'node');
    return { role, binary, present: existsSync(binary) || Boolean(process.env['BATON_TEST_REQUIRE_ALL']) };
  }),
];
