import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import { systemClock } from '#libs/service-kit';
import { useDatabase } from '#tests';
import { run } from './doctor.ts';
import { startSimulator } from './simulator/start-simulator.ts';
import { smallWorld } from './simulator/testing/simulation-fixture.ts';
import { createWatch } from './watch/create-watch.ts';

const usual = { ...process.env };
const { url } = await useDatabase();
const simulator = await startSimulator(
  { world: smallWorld(), writer: null, clock: systemClock, newUuid: () => crypto.randomUUID(), logger: silentLogger },
  { password: 'vigil' },
);
afterAll(async () => {
  await simulator.stop();
});
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(process.env, usual);
});

async function doctor(env: Record<string, string>) {
  let out = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  for (const name of Object.keys(process.env)) if (/^(OS|VIGIL)_/.test(name)) delete process.env[name];
  Object.assign(process.env, {
    VIGIL_DATABASE_URL: url,
    OS_AUTH_URL: simulator.authUrl,
    OS_PROJECT_NAME: 'service',
    ...env,
  });
  const code = await run([]);
  return { code, out };
}

it('reports a working installation as healthy, except for missing metrics', async () => {
  const { code, out } = await doctor({ OS_USERNAME: 'vigil', OS_PASSWORD: 'vigil' });
  expect(code, out).toBe(1);
  for (const name of [
    'Configuration',
    'Dependencies',
    'Database Schema',
    'Message Bus',
    'Identity',
    'Clock',
    'Rights',
  ]) {
    expect(out).toMatch(new RegExp(`^ok {4}${name} *$`, 'm'));
  }
  expect(out).toMatch(/^warn {2}Metrics .*nobody has host_cpu_usage, .*workload_stabilization.* will fail$/m);
});

it('judges dependencies within the limits of vigil watch', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const login = { OS_USERNAME: 'vigil', OS_PASSWORD: 'vigil', OS_AUTH_URL: `http://127.0.0.1:${port}/v3` };
  const { code, out } = await doctor(login);
  expect(code, out).toBe(2);
  const [, reason] = /^FAIL {2}Dependencies .*keystone: ([^;]*)/m.exec(out) ?? [];
  const { watch, teardown } = await createWatch('all', { ...process.env, VIGIL_LOG_LEVEL: 'error' });
  onTestFinished(() => teardown.run());
  const { report } = await watch.round();
  expect(report.dependencies.find(({ name }) => name === 'keystone')?.nodes[0]?.reason).toBe(reason);
});

it('lists fixes for an invalid key and a user without permissions', async () => {
  const { code, out } = await doctor({
    OS_USERNAME: 'member',
    OS_PASSWORD: 'vigil',
    OS_PROJECT_NAME: 'demo',
    VIGIL_PORT: 'x',
  });
  expect(code, out).toBe(2);
  expect(out).toMatch(/^FAIL {2}Configuration .*VIGIL_PORT must be a whole number/m);
  expect(out).toMatch(/^warn {2}Rights .*member, reader, not admin: docs\/hardening.md/m);
});
