import { expect, it } from 'vitest';
import type { ComputeSnapshot } from '#libs/cluster-model';
import { coolDown } from '#libs/cluster-model';
import type { ProposedAction, StrategyPlugin } from '#libs/plugin-kit';
import { createTestWorld, movesOf, runStrategy, testUuid } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from './catalogue.ts';

const hostCount = 8;
const hostVcpus = 32;
const cycles = 100;
/** Cycles that an instance rests after a move. */
const rest = 6;

interface Cloud {
  hostOf: number[];
  disabled: Set<string>;
}

/** Uniform in [0, 1) by cycle and row. */
function noise(cycle: number, row: number): number {
  const mixed = Math.imul((cycle * 197 + row * 6151 + 29) ^ 0x9e3779b9, 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

function snapshotOf({ hostOf, disabled }: Cloud): ComputeSnapshot {
  const names = Array.from({ length: hostCount }, (_, row) => `h${row}`);
  return createTestWorld({
    hosts: names.map((hostname) => ({
      hostname,
      vcpus: hostVcpus,
      ...(disabled.has(hostname) ? { status: 'disabled' as const, disabledReason: 'watcher_disabled' } : {}),
    })),
    instances: hostOf.map((host, row) => ({ name: `vm${row}`, host: `h${host}`, vcpus: 2, memory: 2048 })),
  });
}

/** Each instance keeps its own level, give or take a tenth. Hosts have the sum of their instances. */
function metricsOf({ hostOf }: Cloud, cycle: number) {
  const cpu = hostOf.map((_, row) => (row % 4 === 0 ? 60 : 30) * (0.9 + 0.2 * noise(cycle, row)));
  const byHost = Array.from({ length: hostCount }, () => 0);
  hostOf.forEach((host, row) => {
    byHost[host] = (byHost[host] ?? 0) + ((cpu[row] ?? 0) * 2) / hostVcpus;
  });
  return {
    instance_cpu_usage: Object.fromEntries(cpu.map((percent, row) => [`vm${row}`, percent])),
    host_cpu_usage: Object.fromEntries(byHost.map((percent, host) => [`h${host}`, percent])),
    instance_ram_usage: 512,
  };
}

function carryOut({ hostOf, disabled }: Cloud, actions: readonly ProposedAction[]): void {
  for (const { instance, to } of movesOf(actions)) hostOf[Number(instance.slice(2))] = Number(to.slice(1));
  for (const { actionType, inputParameters: input } of actions) {
    if (actionType !== 'change_nova_service_state') continue;
    if (input.state === 'disabled') disabled.add(String(input.resource_name));
    else disabled.delete(String(input.resource_name));
  }
}

/** 36 instances on the first so many hosts. */
const spreadOver = (hosts: number): Cloud => ({
  hostOf: Array.from({ length: 36 }, (_, row) => row % hosts),
  disabled: new Set(),
});

const cases: [string, object, number][] = [
  ['workload_balance', { threshold: 25 }, 3],
  ['allocation_balance', {}, 3],
  ['allocation_balance', { resource: 'vcpus' }, 3],
  ['vm_workload_consolidation', {}, 8],
  ['basic', {}, 8],
  ['balance_optimizer', { hot_limit: 20, time_limit: 1 }, 3],
  ['balance_optimizer', { preset: 'even', time_limit: 1 }, 3],
  ['consolidation_optimizer', { time_limit: 1 }, 8],
];

it.each(cases)('%s %o: the same audit after its plan proposes nothing', async (name, parameters, hosts) => {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
  const cloud = spreadOver(hosts);
  const audit = async () =>
    runStrategy(strategy, { snapshot: snapshotOf(cloud), metrics: metricsOf(cloud, 0), parameters: { ...parameters } });
  const first = await audit();
  expect(first.actions.length).toBeGreaterThan(0);
  carryOut(cloud, first.actions);
  expect((await audit()).actions).toEqual([]);
});

it.each(cases)('%s %o: no instance oscillates in 100 audits of a changing load', async (name, parameters, hosts) => {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
  const cloud = spreadOver(hosts);
  const paths = new Map<string, string[]>();
  const movedAt = new Map<string, number>();
  for (let cycle = 0; cycle < cycles; cycle++) {
    const recent = [...movedAt].filter(([, at]) => cycle - at < rest).map(([uuid]) => uuid);
    const { actions } = await runStrategy(strategy, {
      snapshot: coolDown(snapshotOf(cloud), recent),
      metrics: metricsOf(cloud, cycle),
      parameters: { ...parameters },
    });
    for (const { instance, from, to } of movesOf(actions)) {
      paths.set(instance, [...(paths.get(instance) ?? [from]), to]);
      movedAt.set(testUuid(instance), cycle);
    }
    carryOut(cloud, actions);
  }
  expect(paths.size).toBeGreaterThan(0);
  for (const path of paths.values()) expect(new Set(path).size, path.join(' ')).toBe(path.length);
});

/** Each instance has its own level, give or take a twentieth. */
function noisyMetrics({ hostOf }: Cloud, cycle: number) {
  const percent = (row: number) => (40 + ((row * 29) % 50)) * (0.95 + 0.1 * noise(cycle, row));
  return { instance_cpu_usage: Object.fromEntries(hostOf.map((_, row) => [`vm${row}`, percent(row)])) };
}

it.each([
  ['balance_optimizer', { preset: 'relief' }, 3],
  ['balance_optimizer', { preset: 'even' }, 3],
  ['balance_optimizer', { preset: 'even' }, 5],
  ['consolidation_optimizer', {}, 8],
  ['placement_optimizer', { both_aims: true }, 8],
  ['placement_optimizer', { both_aims: true }, 5],
])('%s %o of instances on %i hosts: noise causes no move after its plans', async (name, own, hosts) => {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
  // About two thirds of the cloud is used.
  const cloud: Cloud = { hostOf: Array.from({ length: 100 }, (_, row) => row % hosts), disabled: new Set() };
  const audit = (cycle: number) =>
    runStrategy(strategy, {
      snapshot: snapshotOf(cloud),
      metrics: noisyMetrics(cloud, cycle),
      parameters: { ...own, time_limit: 1, max_moves: 0 },
    });
  let settled = 0;
  for (; settled < 5; settled += 1) {
    const { actions } = await audit(settled);
    if (actions.length === 0) break;
    carryOut(cloud, actions);
  }
  const disturbed: number[] = [];
  for (let cycle = settled; cycle < settled + cycles; cycle += 1)
    if ((await audit(cycle)).actions.length > 0) disturbed.push(cycle);
  expect(disturbed).toEqual([]);
});
