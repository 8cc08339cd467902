import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlannedAction } from '#libs/plugin-kit';
import { parseAudits } from '../../services/decision-engine/replay/audits.ts';
import { createDayCloud, type DayCloud } from '../../services/decision-engine/replay/day-cloud.ts';
import { createDayHistory } from '../../services/decision-engine/replay/day-history.ts';
import { createDayMeasures } from '../../services/decision-engine/replay/measures.ts';
import { wattsAt } from '../../services/decision-engine/replay/power-models.ts';
import type { DayWorld } from '../../services/decision-engine/replay/replay-world.ts';
import { startPlan } from '../../services/decision-engine/replay/run-plan.ts';
import { generatedWeek, noisyWorld } from './generated-worlds.ts';
import { readTraces } from './traces.ts';
import { tracesWorld } from './world.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-traces-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Two hosts of 37 and 53 vcpus with instances of 25 and 20 vcpus, which demand `percents`. */
function smallWorld(...percents: number[]): DayWorld {
  const traces = percents.map((percent) => Float32Array.of(percent, percent));
  return { ...tracesWorld(traces, 800), hosts: tracesWorld([], 2).hosts };
}

describe('traces', () => {
  it('reads a table, compressed or not, and a folder with a file for each machine', async () => {
    const expected = [Float32Array.of(10, 20), Float32Array.of(30, 40)];
    expect(await readTraces(write('table.csv', '1,10,20\n2,30,40\n'))).toEqual(expected);
    expect(await readTraces(write('table.csv.gz', gzipSync('1,10,20\n2,30,40\n')))).toEqual(expected);
    rmSync(join(folder, 'table.csv'));
    rmSync(join(folder, 'table.csv.gz'));
    write('a', '10\n20\n');
    write('b', '30\n40\n');
    expect(await readTraces(folder)).toEqual(expected);
  });

  it.each([
    ['1,10,101\n', /table\.csv:1, value 2 must be 0 to 100, not "101"/],
    ['1,10\n2,10,20\n', /machine 2 has 2 values, the first 1/],
    ['', /has no percentages/],
  ])('refuses %j', async (content, reason) => {
    await expect(readTraces(write('table.csv', content))).rejects.toThrow(reason);
  });

  it('refuses a file that is missing', async () => {
    await expect(readTraces(join(folder, 'none'))).rejects.toThrow(/--traces: cannot be read: ENOENT/);
  });
});

describe('measures', () => {
  it('sum energy, overload and unmet demand over the time that passes', () => {
    const world = smallWorld(50, 100, 100);
    const cloud = createDayCloud(world);
    cloud.hostOf.set([0, 1, 1]);
    const measures = createDayMeasures(world);
    measures.passes(cloud, 0, 3600, new Set());
    // Host 0 serves 12.5 of 37 vcpus, host 1 all of 30 of 53.
    const watts = wattsAt(world.hosts[0]!.watts, 12.5 / 37) + wattsAt(world.hosts[1]!.watts, 30 / 53);
    expect(measures.results()).toMatchObject({ kwh: watts / 1000, unmet_percent: 0, overload_percent: 0, hosts_on: 2 });
    cloud.hostOf.fill(0);
    measures.passes(cloud, 0, 3600, new Set([0]));
    // 42.5 vcpus are demanded on 37. Of the time of used hosts, a third is overloaded.
    const results = measures.results();
    expect(results.unmet_percent).toBeCloseTo((100 * 5.5) / 85, 6);
    expect(results.overload_percent).toBeCloseTo(100 / 3, 6);
    expect(results.pdm_percent).toBeCloseTo((100 * 0.05) / 3, 6);
  });

  it('divide the energy by its causes', () => {
    const world = smallWorld(50);
    const cloud = createDayCloud(world);
    cloud.hostOf.set([1]);
    const measures = createDayMeasures(world);
    measures.passes(cloud, 0, 3600, new Set());
    cloud.hosts[0]!.power = 'changing';
    measures.passes(cloud, 0, 3600, new Set());
    const { kwh, bound_kwh: bound, margin_kwh: margin, idle_kwh: idle, switching_kwh: switching } = measures.results();
    // 12.5 vcpus are 29 % of the 42.4 that a host of 53 takes at 80 % for 129 W.
    expect(bound).toBeCloseTo((2 * 129 * (12.5 / 42.4)) / 1000, 6);
    expect([idle, switching]).toEqual([0.086, 0.086]);
    expect(margin).toBeCloseTo((2 * wattsAt(world.hosts[1]!.watts, 12.5 / 53)) / 1000 - bound!, 6);
    expect(bound! + margin! + idle! + switching!).toBeCloseTo(kwh!, 6);
    expect(measures.hours()[0]?.idle_kwh).toBeCloseTo(0.172, 6);
  });

  it('linear watts between the measured points', () => {
    expect([0, 0.1, 0.5, 1, 2].map((load) => wattsAt([100, 120, 200], load))).toEqual([100, 104, 120, 200, 200]);
  });
});

describe('history', () => {
  it('measures at most the size of a host, and divides it among its instances', async () => {
    const cloud = createDayCloud(smallWorld(100, 100));
    cloud.hostOf.fill(0);
    const history = createDayHistory();
    history.record(1000, cloud, 0);
    const read = (metric: 'host_cpu_usage' | 'instance_cpu_usage') =>
      history.aggregate({ metric, aggregate: 'mean', periodSeconds: 300, endMs: 1000 });
    expect((await read('host_cpu_usage')).get('compute-0000')).toBe(100);
    expect((await read('instance_cpu_usage')).get(cloud.uuidOf(0))).toBeCloseTo((100 * 37) / 45, 4);
  });
});

describe('plans', () => {
  const action = (uuid: string, actionType: string, inputParameters: object, parents: string[] = []) =>
    ({ uuid, actionType, inputParameters, parents, reason: {} }) as unknown as PlannedAction;
  const move = (cloud: DayCloud, instance: number, from: number, to: number, parents: string[] = []) =>
    action(
      `move-${instance}`,
      'migrate',
      {
        resource_id: cloud.uuidOf(instance),
        source_node: cloud.world.hosts[from]?.name,
        destination_node: cloud.world.hosts[to]?.name,
      },
      parents,
    );

  it('takes the time of its migrations, in the order of its graph', () => {
    const cloud = createDayCloud(smallWorld(10, 10, 10));
    cloud.hostOf.set([0, 0, 0]);
    const plan = startPlan(cloud, [move(cloud, 0, 0, 1), move(cloud, 1, 0, 1, ['move-0'])], 0);
    expect([...plan.migrating]).toEqual([0]);
    expect(plan.nextEnd()).toBeCloseTo(870 / 62.5, 6);
    plan.advance(plan.nextEnd());
    expect([...cloud.hostOf]).toEqual([1, 0, 0]);
    expect([...plan.migrating]).toEqual([1]);
    plan.advance(plan.nextEnd());
    expect(plan.nextEnd()).toBe(Number.POSITIVE_INFINITY);
    expect(plan.moved.map(({ instance, from, to }) => [instance, from, to])).toEqual([
      [0, 0, 1],
      [1, 0, 1],
    ]);
  });

  it('refuses a disabled destination and skips an instance that has left', () => {
    const cloud = createDayCloud(smallWorld(10, 10));
    cloud.hostOf.set([0, 1]);
    cloud.hosts[1]!.enabled = false;
    const plan = startPlan(cloud, [move(cloud, 0, 0, 1), move(cloud, 1, 0, 1)], 0);
    expect(plan.refused).toHaveLength(1);
    expect([...cloud.hostOf]).toEqual([0, 1]);
  });

  it('switches off empty machines only', () => {
    const cloud = createDayCloud(smallWorld(10));
    cloud.hostOf.set([0]);
    const power = (host: number) =>
      action(`off-${host}`, 'change_node_power_state', { resource_name: cloud.world.hosts[host]?.name, state: 'off' });
    const plan = startPlan(cloud, [power(0), power(1)], 0);
    plan.advance(plan.nextEnd());
    expect(plan.refused).toHaveLength(1);
    expect(cloud.hosts.map((host) => host.power)).toEqual(['on', 'off']);
  });
});

describe('audits', () => {
  it('are a list of strategies with parameters', () => {
    expect(parseAudits('basic,balance_optimizer:preset=even:max_moves=3')).toMatchObject([
      { strategyName: 'basic', goalName: 'server_consolidation', parameters: {} },
      { strategyName: 'balance_optimizer', parameters: { preset: 'even', max_moves: 3 } },
    ]);
    expect(() => parseAudits('basik')).toThrow(/there is no strategy "basik"; did you mean basic\?/);
    expect(() => parseAudits('basic:max_moves')).toThrow(/"max_moves" in "basic:max_moves" must be PARAMETER=VALUE/);
  });
});

it.each([
  ['week', generatedWeek],
  ['noise', noisyWorld],
])('the generated %s is the same for the same seed, and within its bounds', (_, make) => {
  const world = make(10, 7);
  expect(make(10, 7)).toEqual(world);
  expect(make(10, 8)).not.toEqual(world);
  const { values } = world.load.cpu;
  expect(values).toHaveLength(world.steps * world.instances.length);
  expect(values.every((percent) => percent >= 0 && percent <= 100)).toBe(true);
  for (const { arrives, departs } of world.instances) expect(arrives).toBeLessThanOrEqual(departs);
});
