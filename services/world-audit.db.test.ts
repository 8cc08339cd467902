// @needs build
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { type MetricUse, silentLogger } from '#libs/domain';
import type { HistoryWriter, Sample } from '#libs/history';
import { createHistoryWriter } from '#libs/history/connect';
import { createPostgresHistory } from '#libs/history/postgres';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { emptyLoad, encodeWorld, type WorldFile } from '#libs/world-file';
import { createTestDatabase } from '#tests';
import { runWorld } from '../tests/run-world.ts';
import { collectComputeModel } from './decision-engine/collectors/compute-collector.ts';
import { createDayEngine, dayAuditOf } from './decision-engine/replay/audits.ts';
import { startSimulator } from './simulator/start-simulator.ts';
import { smallWorld } from './simulator/testing/simulation-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-audit-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Ten instances with different loads on the first of three hosts, two on the second. */
const uneven: WorldFile = smallWorld(
  Array.from({ length: 10 }, (_, row) => ({
    ...{ host: row < 8 ? 'compute-1' : 'compute-2', uuid: `00000000-0000-4000-8000-00000000000${row}` },
    load: { kind: 'steady', base: 20 + 8 * row, noise: 0, memory: 0.5 } as const,
  })),
);

/** A writer without the samples of some resources, as in a cloud where no agent measures them. */
function writerWithout(url: string, unmeasured: readonly string[]): HistoryWriter {
  const writer = createHistoryWriter({ databaseUrl: url, logger: silentLogger, clock: systemClock });
  const isMeasured = ({ metric, resource }: Sample) => !unmeasured.includes(`${metric} ${resource}`);
  return { ...writer, write: (samples) => writer.write(samples.filter(isMeasured)) };
}

const cpuOf = (...hosts: number[]) => hosts.map((number) => `host_cpu_usage compute-${number}`);
const busiest = 'instance_cpu_usage 00000000-0000-4000-8000-000000000007';

it.each([
  { strategy: 'workload_balance', unmeasured: [], plans: 1 },
  { strategy: 'workload_stabilization', unmeasured: [...cpuOf(3), busiest], plans: 1 },
  { strategy: 'workload_stabilization', unmeasured: cpuOf(2, 3), plans: 0 },
])('plans by $strategy as on the live cloud without $unmeasured', async ({ strategy, unmeasured, plans }) => {
  const goal = 'workload_balancing';
  const { url, drop } = await createTestDatabase();
  const writer = writerWithout(url, unmeasured);
  const simulator = await startSimulator(
    { world: uneven, writer, clock: systemClock, newUuid: () => crypto.randomUUID(), logger: silentLogger },
    { speed: 1, password: 'vigil', sampleSeconds: 60, backFillMinutes: 90 },
  );
  const environment = {
    ...{ VIGIL_DATABASE_URL: url, OS_AUTH_URL: simulator.authUrl, OS_PROJECT_NAME: 'service' },
    ...{ OS_USERNAME: 'vigil', OS_PASSWORD: 'vigil' },
  };
  const clock = systemClock;
  const cloud = createOpenStackCloud(openStackConfigFromEnv(environment), { logger: silentLogger, clock });
  const history = createPostgresHistory({ url, logger: silentLogger, clock });
  const engine = createDayEngine(history);
  onTestFinished(async () => {
    await Promise.all([engine.close(), history.close(), cloud.close(), simulator.stop()]);
    await writer.close();
    await drop();
  });
  const file = join(folder, `${strategy}-${unmeasured.length}.world`);
  expect((await runWorld(['record', '--out', file, '--days', '0.05', '--no-anonymise'], environment)).code).toBe(0);
  const model = await collectComputeModel(cloud, { clock });
  const live = await engine.run(dayAuditOf(strategy, {}), {
    cloud: { snapshot: () => model, baremetal: () => Promise.reject(new Error('not read')) as never },
    ...{ atMs: clock.now(), moves: [], opposites: { id: 0, audits: [] } },
    past: { departures: {}, disabled: [], woken: [], failures: 0, open: [] },
  });
  const { code, out, err } = await runWorld(['audit', file, '-g', goal, '-s', strategy, '--once', '--json']);

  expect(code, err).toBe(0);
  const [none, replayed] = JSON.parse(out);
  const moves = live.actions.map(({ inputParameters: of }) => [of.resource_id, of.destination_node]);
  expect(none).toMatchObject({ strategy: 'none', plans: [] });
  expect(replayed.plans).toHaveLength(plans);
  const actions = replayed.plans.flatMap((plan: { actions: Record<string, string>[] }) => plan.actions);
  expect(actions.map(({ resource, to }: Record<string, string>) => [resource, to])).toEqual(moves);
  const missing = ({ metric, missing: count, missingExamples: examples }: MetricUse) =>
    count > 0 ? [{ metric, missing: count, examples }] : [];
  const liveMissing = live.metrics.flatMap(missing).sort((one, other) => (one.metric < other.metric ? -1 : 1));
  expect(replayed.missing_metrics).toMatchObject(liveMissing);
  expect(liveMissing).toHaveLength(new Set(unmeasured.map((text) => text.split(' ')[0])).size);
});

it('compares strategies over the recorded time, in a table and on a page', async () => {
  const steps = 24;
  const load = emptyLoad({ servers: 10, hosts: 3 }, { startMs: Date.UTC(2026, 5, 1), stepSeconds: 300, steps });
  for (const [row] of uneven.servers.entries())
    load.columns.serverCpu.fill(20 + 12 * row, row * steps, (row + 1) * steps);
  load.columns.serverMemory.fill(100);
  for (const [row, percent] of [31, 15, 0].entries())
    for (const name of ['hostCpu', 'hostMemory'] as const)
      load.columns[name].fill(2 * percent, row * steps, (row + 1) * steps);
  const file = join(folder, 'hours.world');
  writeFileSync(file, encodeWorld(uneven, load));
  const page = join(folder, 'page.html');
  const args = [
    'audit',
    file,
    '-g',
    'workload_balancing',
    '-s',
    'workload_stabilization',
    '--every',
    '5m',
    '--page',
    page,
  ];
  const { code, out, err } = await runWorld([...args, '--compare', 'workload_balance']);

  expect(code, err).toBe(0);
  expect(out).toMatch(/^strategy +none +workload_stabilization +workload_balance$/m);
  const moves = /^moves +(\d+) +(\d+) +(\d+)$/m.exec(out);
  expect(Number(moves?.[1])).toBe(0);
  expect(Number(moves?.[2])).toBeGreaterThan(0);
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('<polyline');
  expect(html).toContain('prefers-color-scheme: dark');
  expect(html).not.toMatch(/<script|https?:|NaN/);
  expect((await runWorld([...args, '--compare', 'workload_balance'])).out).toBe(out);
});

it('refuses wrong strategies, goals and files with exit code 2 or 1 and the reason', async () => {
  const file = join(folder, 'plain.json');
  writeFileSync(file, JSON.stringify(uneven));
  const usualArgs = ['-g', 'workload_balancing', '-s', 'balance_optimizer'];
  for (const [args, message] of [
    [[file, ...usualArgs], /the world has no recorded load/],
    [[file, '-g', 'workload_balancing', '-s', 'balanc_optimizer'], /did you mean balance_optimizer\?/],
    [[file, '-g', 'server_consolidation', '-s', 'balance_optimizer'], /serves workload_balancing, not server/],
    [
      [file, '-g', 'workload_balancing', '-s', 'storage_capacity_balance'],
      /storage_capacity_balance moves volumes.* supports .*balance_optimizer/,
    ],
    [
      [file, '-g', 'hardware_maintenance', '-s', 'zone_migration', '-p', 'storage_pools=[{"src_pool":"a@b#c"}]'],
      /a replay supports zone_migration without volumes/,
    ],
    [[file, ...usualArgs, '--every', '7m'], /It must be a multiple of 5m/],
    [[file, ...usualArgs, '-p', 'max_moves'], /must be PARAMETER=VALUE/],
    [['/nowhere.world', ...usualArgs], /no such file/],
  ] as const) {
    const { code, err } = await runWorld(['audit', ...args]);
    expect(err).toMatch(message);
    expect([1, 2]).toContain(code);
  }
});
