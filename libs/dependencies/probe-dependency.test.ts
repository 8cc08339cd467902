import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Dependency, DependencyNode } from './dependency.ts';
import { probeDependency } from './probe-dependency.ts';

const timeoutMs = 300;
const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const dependencyOf = (probe: DependencyNode['probe']): Dependency => ({
  ...{ name: 'postgresql', required: true, mustFit: true, timeoutMs },
  nodes: [{ node: 'one', probe }],
});

/** Port of a server that sends a byte to each client, or nothing. */
async function serve(hasResponse: boolean): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (hasResponse) socket.end('x');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

async function readByte(port: number, signal: AbortSignal, whileConnecting: () => void): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  servers.push({ close: () => socket.destroy() });
  await once(socket, 'connect');
  whileConnecting();
  await once(socket, 'data', { signal });
}

function blockEventLoop(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

it('does not take a pause of this process for a silent server', async () => {
  const port = await serve(true);
  const dependency = dependencyOf((signal) => readByte(port, signal, () => blockEventLoop(4 * timeoutMs)));
  const { report } = await probeDependency(dependency);
  expect(report).toMatchObject({ up: true, nodes: [{ up: true, reason: null }] });
});

it('ends the probe of a silent server at its limit', async () => {
  const port = await serve(false);
  const { report } = await probeDependency(dependencyOf((signal) => readByte(port, signal, () => undefined)));
  expect(report).toMatchObject({ up: false, nodes: [{ up: false, reason: 'no response within 0.3 s' }] });
});
