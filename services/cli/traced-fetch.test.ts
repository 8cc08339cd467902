import { expect, test } from 'vitest';
import type { Verbosity } from './cli-context.ts';
import { tracedFetch } from './traced-fetch.ts';

const respond: typeof fetch = async (input) => {
  if (String(input).endsWith('/down')) throw new TypeError('fetch failed');
  return Response.json({ token: 'hush' }, { status: 202, headers: { 'x-openstack-request-id': 'req-1' } });
};

async function traced(level: Verbosity['level'], url: string, init: RequestInit = {}) {
  let text = '';
  const err = (part: string) => {
    text += part.replaceAll(/\d+ ms/g, 'N ms');
  };
  const body = await tracedFetch(respond, { err, verbosity: { level } })(url, init).then(
    (response) => response.text(),
    () => 'failed',
  );
  return { text, body };
}

const login = { method: 'POST', body: '{"password":"secret"}', headers: { 'x-auth-token': 'secret' } };

test.each([
  ['quiet', 'http://h/v1', {}, ''],
  ['normal', 'http://h/v1', {}, ''],
  ['verbose', 'http://u:pw@h/v1', {}, 'GET http://u:[hidden]@h/v1 202 (N ms)\n'],
  ['verbose', 'http://h/down', {}, 'GET http://h/down failed (N ms)\n'],
  [
    'debug',
    'http://h/v1',
    { method: 'POST', body: '{"a":1}' },
    'POST http://h/v1 202 (N ms, req-1)\n> {"a":1}\n< {"token":"hush"}\n',
  ],
  ['debug', 'http://h/v3/auth/tokens', login, 'POST http://h/v3/auth/tokens 202 (N ms, req-1)\n'],
] as const)('%s prints of %s with %j', async (level, url, init, text) => {
  const seen = await traced(level, url, init);
  expect(seen.text).toBe(text);
  expect(seen.body).toBe(url.endsWith('/down') ? 'failed' : '{"token":"hush"}');
});
