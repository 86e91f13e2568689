import { expect, test } from 'vitest';
import { askAppServer } from '../../../src/implementers/codex/ask-app-server.ts';
import { surroundings } from '../../support/environment.ts';
import { fakeShell } from '../../support/fake.ts';

function ask(body: string, limitMs = 60_000) {
  const where = surroundings();
  const binary = fakeShell(where, body, { name: 'codex' });
  return askAppServer({
    binary,
    cwd: where.root,
    env: where.env,
    limitMs,
    method: 'hooks/list',
    params: { cwds: [where.root] },
  });
}

test('takes the answer to its question, and the warnings before it, and does not wait for the end', async () => {
  const lines = [
    'no JSON',
    '[1]',
    '{"id":1,"result":{}}',
    '{"method":"configWarning","params":{"summary":"not trusted","details":null}}',
    '{"id":2,"result":{"data":[]}}',
  ].map((line) => `echo '${line}'`);
  expect(await ask(`${lines.join('\n')}\nexec sleep 600`)).toEqual({
    result: { data: [] },
    warnings: ['not trusted'],
  });
});

test.each([
  ['an error for an answer', `echo '{"id":2,"error":{"code":-32601}}'; exec sleep 600`],
  ['no answer', 'exit 0'],
])('%s is none', async (_, body) => {
  expect(await ask(body)).toBeNull();
});

test('one that never answers is ended', async () => {
  expect(await ask('sleep 600', 300)).toBeNull();
});

test('one that is not there is no answer', async () => {
  const request = { cwd: '/', env: {}, limitMs: 1000, method: 'x', params: {} };
  expect(await askAppServer({ ...request, binary: '/nowhere/codex' })).toBeNull();
});
