import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { text } from '../texts/texts.ts';
import { withTimeLimit } from './with-time-limit.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const read = (url: string) => async (signal: AbortSignal) => (await fetch(url, { signal })).text();

test('a response that never starts or never ends fails with a text that names the time limit', async () => {
  const silent = await serve(() => undefined);
  const slow = await serve((_request, response) => response.write('{"signed_in"'));
  const reported = { kind: 'timeout', message: text('shell.noResponse', { seconds: 0.05 }) };
  await expect(withTimeLimit(50, read(silent))).rejects.toMatchObject(reported);
  await expect(withTimeLimit(50, read(slow))).rejects.toMatchObject(reported);
});

test('a failed connection is reported as such, and responses and other errors pass through', async () => {
  const url = await serve((_request, response) => response.end('here'));
  await expect(withTimeLimit(600_000, read(url))).resolves.toBe('here');
  await expect(withTimeLimit(600_000, read('http://127.0.0.1:1/'))).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(withTimeLimit(600_000, () => Promise.reject(new Error('no such user')))).rejects.toThrow('no such user');
});
