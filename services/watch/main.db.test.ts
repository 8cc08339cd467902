import { createServer } from 'node:net';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GateReport } from '#libs/dependencies';
import { createTcpProxy, useDatabase } from '#tests';
import { run } from './main.ts';

let printed = '';
let told = '';
const { url: databaseUrl } = await useDatabase();
const url = new URL(databaseUrl);
const proxy = await createTcpProxy({ host: url.hostname, port: Number(url.port) });
url.host = `127.0.0.1:${proxy.port}`;
vi.stubEnv('VIGIL_DATABASE_URL', url.href);
vi.stubEnv('VIGIL_AMQP_URL', undefined);
vi.stubEnv('VIGIL_LOG_LEVEL', 'error');
for (const [name, value] of Object.entries({ PERIOD_SECONDS: '0.1', TRIES: '2', RETRY_SECONDS: '0.05' })) {
  vi.stubEnv(`VIGIL_GATE_${name}`, value);
}
afterAll(async () => {
  vi.unstubAllEnvs();
  await proxy.close();
});
beforeEach(async () => {
  [printed, told] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    told += text;
    return true;
  });
  await proxy.accept();
});
afterEach(() => vi.restoreAllMocks());

const reported = () => JSON.parse(printed) as GateReport & { target: string };

it('once: 0 and a report when all can be used, 1 when not, for people or as JSON', async () => {
  // A suspended database counts as unavailable.
  const once = () => {
    printed = '';
    return run(['scheduler', 'once']);
  };
  await expect.poll(once).toBe(0);
  expect(printed).toMatch(/^postgresql +required {2}127\.0\.0\.1:\d+\/\S+ {2}up \(\d+ ms\)\nopen\n$/);
  printed = '';
  await proxy.refuse();
  expect(await run(['scheduler', 'once', '--json'])).toBe(1);
  expect(reported()).toMatchObject({ target: 'scheduler', open: false });
  expect(reported().dependencies).toMatchObject([{ name: 'postgresql', required: true, up: false }]);
  expect(printed).not.toMatch(/:\/\//);
});

it('wait: does not end before all can be used, and then with 0', async () => {
  await proxy.refuse();
  let attempts = 0;
  const broken = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  }).listen(proxy.port, '127.0.0.1');
  let ended = false;
  const waiting = run(['scheduler', 'wait', '--json']).finally(() => {
    ended = true;
  });
  await expect.poll(() => attempts).toBeGreaterThan(2);
  expect(ended).toBe(false);
  await new Promise((resolve) => broken.close(resolve));
  await proxy.accept();
  expect(await waiting).toBe(0);
  expect(reported()).toMatchObject({ open: true });
});

it('check: ends with 1 and names the lost dependency, and with 0 on a stop signal', async () => {
  const before = process.listenerCount('SIGTERM');
  const checking = run(['scheduler', 'check']);
  await expect.poll(() => process.listenerCount('SIGTERM')).toBeGreaterThan(before);
  await proxy.refuse();
  expect(await checking).toBe(1);
  expect(told).toMatch(/^vigil watch: postgresql: .*refused/);
  await proxy.accept();
  const listeners = process.listenerCount('SIGTERM');
  const stopped = run(['scheduler', 'check']);
  await expect.poll(() => process.listenerCount('SIGTERM')).toBeGreaterThan(listeners);
  process.emit('SIGTERM');
  expect(await stopped).toBe(0);
});

it('wrong words and required things that are not configured: 2', async () => {
  expect(await run(['scheduler', 'sometimes'])).toBe(2);
  expect(await run(['everybody', 'once'])).toBe(2);
  vi.stubEnv('VIGIL_GATE_REQUIRED', 'rabbitmq');
  expect(await run(['scheduler', 'once'])).toBe(2);
  expect(told).toMatch(/VIGIL_GATE_REQUIRED names rabbitmq, which is not configured/);
  vi.stubEnv('VIGIL_GATE_REQUIRED', undefined);
});
