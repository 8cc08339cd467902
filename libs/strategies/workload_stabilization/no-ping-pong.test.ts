import { expect, it } from 'vitest';
import { type ComputeSnapshot, coolDown } from '#libs/cluster-model';
import { createTestWorld, movesOf, runStrategy, testUuid } from '#libs/plugin-kit/testing';
import { workloadStabilizationStrategy } from './strategy.ts';

const hostCount = 12;
const perHost = 10;
const hostVcpus = 32;
const cycles = 100;
/** Cycles that an instance rests after a move. */
const rest = 6;

/** Uniform in [0, 1) by cycle and row, so that loads differ from cycle to cycle and runs do not. */
function noise(cycle: number, row: number): number {
  const mixed = Math.imul((cycle * 131 + row * 7919 + 17) ^ 0x9e3779b9, 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

function place(hosts: readonly number[]): ComputeSnapshot {
  return createTestWorld({
    hosts: Array.from({ length: hostCount }, (_, row) => ({ hostname: `h${row}`, vcpus: hostVcpus, memory: 65_536 })),
    instances: hosts.map((host, row) => ({ name: `vm${row}`, host: `h${host}`, vcpus: 2, memory: 2048, disk: 1 })),
  });
}

/** Loads of a cycle: each instance keeps its own level, give or take a tenth. */
function loadsOf(hosts: readonly number[], cycle: number) {
  const cpu = hosts.map((_, row) => (row % 5 === 0 ? 90 : 40) * (0.9 + 0.2 * noise(cycle, row)));
  const byHost = Array.from({ length: hostCount }, () => 0);
  hosts.forEach((host, row) => {
    byHost[host] = (byHost[host] ?? 0) + ((cpu[row] ?? 0) * 2) / hostVcpus;
  });
  return {
    instance_cpu_usage: Object.fromEntries(cpu.map((percent, row) => [`vm${row}`, percent])),
    host_cpu_usage: Object.fromEntries(byHost.map((percent, host) => [`h${host}`, percent])),
  };
}

it('finds peace: 100 audits move an uneven cloud once and no instance back and forth', async () => {
  const hosts = Array.from({ length: hostCount * perHost }, (_, row) => Math.floor(row / (perHost * 2)));
  const movedAt = new Map<string, number>();
  const visited = new Map<string, string[]>();
  const perCycle: number[] = [];
  for (let cycle = 0; cycle < cycles; cycle++) {
    const recent = [...movedAt].filter(([, at]) => cycle - at < rest).map(([uuid]) => uuid);
    const snapshot = coolDown(place(hosts), recent);
    const { actions } = await runStrategy(workloadStabilizationStrategy, {
      snapshot,
      metrics: loadsOf(hosts, cycle),
      parameters: { thresholds: { instance_cpu_usage: 0.05 } },
    });
    perCycle.push(actions.length);
    for (const { inputParameters } of actions) expect(recent).not.toContain(inputParameters.resource_id);
    for (const { instance, from, to } of movesOf(actions)) {
      const row = Number(instance.slice(2));
      visited.set(instance, [...(visited.get(instance) ?? [from]), to]);
      movedAt.set(snapshot.instanceInfo.find(({ name }) => name === instance)?.uuid ?? '', cycle);
      hosts[row] = Number(to.slice(1));
    }
  }
  expect(perCycle[0]).toBeGreaterThan(0);
  expect(perCycle.slice(10).every((count) => count === 0)).toBe(true);
  for (const path of visited.values()) expect(new Set(path).size).toBe(path.length);
});

it('leaves a spread alone that large instances keep at a low threshold, while noise goes up and down', async () => {
  const [hostNumber, count, vcpus] = [8, 24, 16];
  const sizes = Array.from({ length: count }, (_, row) => [1, 2, 2, 4, 8][Math.floor(noise(-2, row) * 5)] ?? 1);
  const hosts = sizes.map((_, row) => Math.floor(noise(-102, row) * hostNumber));
  const movedAt = new Map<number, number>();
  const paths = sizes.map((_, row) => [hosts[row] as number]);
  const perCycle: number[] = [];
  for (let cycle = 0; cycle < cycles; cycle++) {
    const cpu = sizes.map((_, row) => (20 + 60 * noise(-52, row)) * (0.95 + 0.1 * noise(cycle, row)));
    const load = Array.from({ length: hostNumber }, (_, host) =>
      sizes.reduce((sum, size, row) => sum + (hosts[row] === host ? ((cpu[row] as number) * size) / vcpus : 0), 0),
    );
    const snapshot = createTestWorld({
      hosts: load.map((_, row) => ({ hostname: `h${row}`, vcpus, vcpusRatio: 8 })),
      instances: hosts.map((host, row) => ({
        name: `vm${row}`,
        host: `h${host}`,
        vcpus: sizes[row] ?? 1,
        memory: 1024,
      })),
    });
    const resting = [...movedAt].filter(([, at]) => cycle - at < rest).map(([row]) => testUuid(`vm${row}`));
    const { actions } = await runStrategy(workloadStabilizationStrategy, {
      snapshot: coolDown(snapshot, resting),
      metrics: {
        instance_cpu_usage: Object.fromEntries(cpu.map((percent, row) => [`vm${row}`, percent])),
        host_cpu_usage: Object.fromEntries(load.map((percent, row) => [`h${row}`, percent])),
      },
      parameters: { thresholds: { instance_cpu_usage: 0.02 } },
    });
    perCycle.push(actions.length);
    for (const { instance, to } of movesOf(actions)) {
      const row = Number(instance.slice(2));
      hosts[row] = Number(to.slice(1));
      paths[row]?.push(hosts[row]);
      movedAt.set(row, cycle);
    }
  }
  expect(perCycle[0]).toBeGreaterThan(0);
  expect(perCycle.slice(1).filter((moves) => moves > 0).length).toBeLessThanOrEqual(3);
  for (const path of paths) expect(new Set(path).size, path.join(' ')).toBe(path.length);
});

it('leaves an instance in peace that was moved lately, and says so', async () => {
  const hosts = Array.from({ length: 20 }, () => 0);
  const snapshot = place(hosts);
  const cooling = coolDown(
    snapshot,
    snapshot.instanceInfo.map(({ uuid }) => uuid),
  );
  const { actions, report } = await runStrategy(workloadStabilizationStrategy, {
    snapshot: cooling,
    metrics: loadsOf(hosts, 0),
    parameters: { thresholds: { instance_cpu_usage: 0.05 } },
  });
  expect(actions).toEqual([]);
  expect(report.blocked).toContainEqual(
    expect.objectContaining({ constraint: 'instance-cooling-down', count: hosts.length }),
  );
});

it('stops at the budget of migrations', async () => {
  const hosts = Array.from({ length: 40 }, () => 0);
  const world = { snapshot: place(hosts), metrics: loadsOf(hosts, 0) };
  const { actions } = await runStrategy(workloadStabilizationStrategy, {
    ...world,
    parameters: { migration_budget: 3 },
  });
  expect(actions).toHaveLength(3);
});
