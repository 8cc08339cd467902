import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const target = createServer((socket) => socket.end('here'));
let proxy: TcpProxy;
beforeEach(async () => {
  await once(target.listen(0, '127.0.0.1'), 'listening');
  const address = target.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  proxy = await createTcpProxy({ host: '127.0.0.1', port: address.port });
});
afterEach(async () => {
  await proxy.close();
  target.close();
});

/** Greeting of the target through the proxy, or the code of the error. */
async function request(): Promise<string> {
  const socket = connect(proxy.port, '127.0.0.1');
  try {
    return String((await once(socket, 'data'))[0]);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  } finally {
    socket.destroy();
  }
}

it('listens once and on its port however calls overlap; the last one decides', async () => {
  expect(await request()).toBe('here');
  await Promise.all([proxy.refuse(), proxy.refuse()]);
  expect(await request()).toBe('ECONNREFUSED');
  await Promise.all([proxy.accept(), proxy.accept()]);
  expect(await request()).toBe('here');
  await Promise.all([proxy.refuse(), proxy.accept(), proxy.refuse()]);
  expect(await request()).toBe('ECONNREFUSED');
  await Promise.all([proxy.accept(), proxy.refuse(), proxy.accept()]);
  expect(await request()).toBe('here');
});
