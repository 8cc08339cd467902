import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSender } from './create-sender.ts';

let server: Server;
let url: URL;
/** Port of the client, by request. */
let ports: (number | undefined)[];

beforeEach(async () => {
  ports = [];
  server = createServer((request, response) => {
    ports.push(request.socket.remotePort);
    if (request.url === '/silent') return;
    response.writeHead(request.url === '/moved' ? 302 : 200, { 'X-Twice': ['a', 'b'], location: '/silent' });
    response.end('text');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('connections are kept, but not for requests that must not arrive twice', async () => {
  const sender = createSender({ timeoutMs: 60_000, maxConnections: 1 });
  const get = { method: 'GET', url, headers: {} } as const;
  expect(await sender.send(get)).toMatchObject({ status: 200, headers: { 'x-twice': 'a, b' }, text: 'text' });
  await sender.send(get);
  await sender.send({ ...get, method: 'POST', body: '{}', isUnrepeatable: true });
  await sender.send({ ...get, method: 'POST', body: '{}', isUnrepeatable: true });
  expect(ports[1]).toBe(ports[0]);
  expect(new Set(ports).size).toBe(3);
  await sender.close();
});

test('a redirection is a response', async () => {
  const sender = createSender({ timeoutMs: 60_000 });
  const moved = await sender.send({ method: 'GET', url: new URL('/moved', url), headers: {} });
  expect(moved).toMatchObject({ status: 302, headers: { location: '/silent' } });
  await sender.close();
});

test('a silent server exceeds the time limit, or the caller aborts', async () => {
  const sender = createSender({ timeoutMs: 50 });
  const silent = { method: 'GET', url: new URL('/silent', url), headers: {} } as const;
  await expect(sender.send(silent)).rejects.toMatchObject({ name: 'TimeoutError' });
  const patient = createSender({ timeoutMs: 60_000 });
  const reason = new Error('enough');
  const giving = new AbortController();
  const requested = patient.send({ ...silent, signal: giving.signal });
  giving.abort(reason);
  await expect(requested).rejects.toBe(reason);
  await Promise.all([sender.close(), patient.close()]);
});
