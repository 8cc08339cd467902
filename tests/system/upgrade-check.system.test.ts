import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createStore } from '#libs/store';
import { useDatabase } from '#tests';
import { insertPlanWorld } from '../builders.ts';
import { cloudEnv } from './cloud-env.ts';
import { useVigil } from './use-vigil.ts';
import { runVigil } from './vigil-process.ts';

const { url } = await useDatabase();
const simulator = await useVigil(['simulator'], { VIGIL_SIMULATOR_PORT: '0', VIGIL_SIMULATOR_BACKFILL_MINUTES: '0' });
const env = {
  VIGIL_DATABASE_URL: url,
  ...cloudEnv(simulator.url),
};

interface Report {
  result: string;
  checks: { name: string; result: string; details?: string }[];
}

async function check(more: NodeJS.ProcessEnv = {}) {
  const { exitCode, stdout, stderr } = await runVigil(['status', 'upgrade-check', '--json'], { ...env, ...more });
  if (!stdout.trim()) return { exitCode, stderr, bad: [] };
  const report = JSON.parse(stdout) as Report;
  return { exitCode, stderr, bad: report.checks.filter((one) => one.result !== 'Success') };
}

it('succeeds where everything is well, also by the words of the peer', async () => {
  expect(await check()).toMatchObject({ exitCode: 0, bad: [] });
  const { exitCode, stdout } = await runVigil(['status', 'upgrade', 'check'], env);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/Minimum Nova API Version\s+Success\n/)]);
});

it('reports each problem by name and with the remedy', async () => {
  const wrong = await check({ VIGIL_POLICY_FILE: '/etc/policy.json', VIGIL_PLUGINS: './no-such-plugin' });
  expect(wrong.exitCode).toBe(2);
  expect(wrong.bad.map(({ name, result }) => `${name}: ${result}`)).toEqual([
    'Policy File JSON to YAML Migration: Failure',
    'Plugins: Failure',
  ]);
  const noCloud = await check({ OS_PASSWORD: 'wrong' });
  expect(noCloud.bad.map(({ name }) => name)).toEqual([
    'Minimum Nova API Version',
    'Identity',
    'Placement',
    'Block Storage',
  ]);
  const nothing = await check({ VIGIL_AMQP_PREFIX: '', VIGIL_LOG_LEVEL: 'loud' });
  expect(nothing).toMatchObject({ exitCode: 255, stderr: expect.stringContaining('VIGIL_LOG_LEVEL') });
});

it('outlives plugins that end their process, and names every broken one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-upgrade-'));
  const plugin = async (name: string, text: string) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'index.mjs'), text);
    return join(folder, name);
  };
  const names = [await plugin('exits', 'process.exit(0);'), await plugin('throws', "throw new Error('no licence');")];
  const { exitCode, bad } = await check({ VIGIL_PLUGINS: names.join(',') });
  await rm(folder, { recursive: true });
  expect([exitCode, bad]).toEqual([
    2,
    [{ name: 'Plugins', result: 'Failure', details: expect.stringMatching(/ends its process.*; .*no licence/) }],
  ]);
});

it('finds plans that no process holds', async () => {
  const store = await createStore({ url, logger: silentLogger });
  const { plan } = await insertPlanWorld(store.db, { plan: () => ({ state: 'PENDING', launchSeq: 1 }) });
  await store.db.actionPlans.claim(plan.uuid, { instance: 'dead', host: 'h', ttlMs: 1 });
  await store.close();
  const { exitCode, bad } = await check();
  expect([exitCode, bad[0]?.name, bad[0]?.details]).toEqual([
    2,
    'Plans Without Applier',
    expect.stringContaining(plan.uuid),
  ]);
});
