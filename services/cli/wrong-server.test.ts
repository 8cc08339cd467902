import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { runCli } from './main.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

/** Sends a request to a server that returns this response to every request. */
async function request(status: number, headers: Record<string, string>, body: string) {
  server = createServer((_, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let err = '';
  const code = await runCli(['goal', 'list', '--url', url], {
    env: {},
    out: () => undefined,
    err: (text) => {
      err += text;
    },
  });
  return { code, err: err.replace(url, 'URL') };
}

const html = { 'content-type': 'text/html; charset=utf-8', server: 'nginx/1.22' };
const json = { 'content-type': 'application/json' };

it.each([
  [
    'a web page',
    200,
    html,
    '<h1>Welcome</h1>',
    'URL answered HTTP 200 (nginx/1.22, text/html); that is not an API of Vigil: check the URL',
  ],
  [
    'a missing page',
    404,
    html,
    '<h1>Not found</h1>',
    'URL answered HTTP 404 (nginx/1.22, text/html); that is not an API of Vigil: check the URL',
  ],
  [
    'Keystone',
    404,
    json,
    '{"error": {"code": 404, "message": "The resource could not be found.", "title": "Not Found"}}',
    'URL answered HTTP 404 (application/json), saying: The resource could not be found.; ' +
      'that is not an API of Vigil: check the URL',
  ],
  [
    'something else',
    200,
    json,
    '{"versions": []}',
    'the response to GET /v1/goals/detail has no goals: is the URL that of Vigil?',
  ],
  ['a proxy without a server', 503, html, 'no server', 'URL answered HTTP 503 (nginx/1.22, text/html)'],
])('--url to %s names the server that responded', async (_, status, headers, body, text) => {
  expect(await request(status, headers, body)).toEqual({ code: 1, err: `vigil: ${text}\n` });
});
