import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import { systemClock } from '#libs/service-kit';
import { useDatabase } from '#tests';
import { run } from './doctor.ts';
import { startSimulator } from './simulator/start-simulator.ts';
import { smallWorld } from './simulator/testing/simulation-fixture.ts';

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
  for (const name of ['Configuration', 'Database Schema', 'Message Bus', 'Identity', 'Clock', 'Rights']) {
    expect(out).toMatch(new RegExp(`^ok {4}${name} *$`, 'm'));
  }
  expect(out).toMatch(/^warn {2}Metrics .*nobody has host_cpu_usage, .*workload_stabilization.* will fail$/m);
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
