import {
  DEPTH_MARKER,
  type Env,
  GIT_LOCAL_VARIABLES,
  RUN_MARKER,
  withoutVariables,
} from '../core/environment.ts';
import type { Gate } from './gate.ts';

/** Words of a name, such as `GITHUB_TOKEN`, `npm_config_//registry/:_authToken`, `PGPASSWORD`. Not `TOKENIZERS_PARALLELISM`. */
const SECRET_NAME =
  /(?:TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIES?|APIKEYS?)(?:_|$)|(?:^|_)(?:KEYS?|AUTH|PAT|DSN|NETRC)(?:_|$)/i;
/** A service with a password in its address, such as many a `DATABASE_URL`. */
const SECRET_VALUE = /^[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:[^\s/@]+@/i;

export interface GateEnvironment {
  env: Env;
  /** Sorted names of what was left out as a credential. */
  withheld: string[];
}

/**
 * What a gate inherits: the caller's variables, less what ties git or an agent to another place, and less what looks
 * like a credential, since a gate runs what the implementer wrote, outside of its sandbox. What the gate itself names
 * comes along.
 */
export function gateEnvironment(inherited: Env, gate: Pick<Gate, 'env'>, marker: string): GateEnvironment {
  const own = new Map(Object.entries(gate.env));
  const withheld: string[] = [];
  const env: Env = {};
  const base = withoutVariables(inherited, ['CLAUDECODE', DEPTH_MARKER, ...GIT_LOCAL_VARIABLES]);
  for (const [name, value] of Object.entries(base)) {
    if (!own.has(name) && looksSecret(name, value)) withheld.push(name);
    else env[name] = value;
  }
  for (const [name, value] of own) if (value !== true) env[name] = value;
  return { env: { ...env, [RUN_MARKER]: marker }, withheld: withheld.sort() };
}

function looksSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value);
}
