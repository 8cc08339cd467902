import { describe, expect, it } from 'vitest';
import { executeStrategy, type MetricsWindow, type StrategyPlugin, validateParameters } from '#libs/plugin-kit';
import {
  applyActions,
  createTestMetrics,
  createTestWorld,
  movesOf,
  runStrategy,
  type TestMetrics,
  type TestWorld,
} from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '../../catalogue.ts';

const strategyOf = (name: string) => strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
const names = ['basic', 'vm_workload_consolidation', 'node_resource_consolidation'];
const parametersOf = (name: string) => ({
  failure_reserve: 0,
  ...(name === 'node_resource_consolidation' ? { host_choice: 'specify' } : {}),
});

/** Eight hosts at a quarter of their vcpus, memory and disk. */
const quarter: TestWorld = {
  hosts: Array.from({ length: 8 }, (_, row) => ({ hostname: `h${row}`, vcpus: 16, memory: 16_000, disk: 160 })),
  instances: Array.from({ length: 16 }, (_, row) => ({
    name: `i${row}`,
    host: `h${row % 8}`,
    vcpus: 2,
    memory: 2000,
    disk: 20,
  })),
};
const idle: TestMetrics = { instance_cpu_usage: 5, host_cpu_usage: 5, instance_ram_usage: 10 };

describe.each(names)('%s', (name) => {
  it.each([
    [undefined, 0.8, 5],
    [{ vcpus: 50 }, 0.5, 4],
    [{ memory: 60 }, 0.6, 4],
    [{ disk: 40 }, 0.4, 2],
    [{ vcpus: 100, memory: 100, disk: 100 }, 1, 6],
  ])('fills no host above the target %o', async (target, share, freed) => {
    const snapshot = createTestWorld(quarter);
    const parameters = { ...parametersOf(name), ...(target === undefined ? {} : { target_utilization: target }) };
    const { actions, indicators } = await runStrategy(strategyOf(name), { snapshot, metrics: idle, parameters });
    const after = applyActions(snapshot, actions);
    quarter.hosts.forEach((_, host) => {
      expect(after.used(host).vcpus / after.capacity(host).vcpus).toBeLessThanOrEqual(share + 1e-9);
    });
    expect(indicators.released_compute_nodes_count).toBe(freed);
  });
});

/** The mean is far below the 95th percentile. */
async function runWithPeaks(name: string, peak: number) {
  const snapshot = createTestWorld({
    hosts: ['a', 'b'].map((hostname) => ({ hostname, vcpus: 16, vcpusRatio: 8 })),
    instances: ['a', 'b'].map((host) => ({ name: `on-${host}`, host, vcpus: 16 })),
  });
  const of = ({ aggregate }: MetricsWindow) => {
    const percent = aggregate === 'p95' ? peak : 10;
    return createTestMetrics(snapshot, {
      instance_cpu_usage: percent,
      host_cpu_usage: percent,
      instance_ram_usage: 10,
    });
  };
  const strategy = strategyOf(name);
  const { actions } = await executeStrategy(strategy, {
    snapshot,
    metrics: {
      hosts: (metric, window) => of(window).hosts(metric, window),
      instances: (metric, window) => of(window).instances(metric, window),
    },
    parameters: validateParameters(strategy.manifest.parameters, { failure_reserve: 0 }),
    seed: 1,
    nowMs: 0,
    signal: new AbortController().signal,
    log: { debug() {}, info() {}, warn() {}, error() {}, child: () => ({}) as never },
  });
  return movesOf(actions).length;
}

it('basic fills hosts by the 95th percentile of their load', async () => {
  expect(await runWithPeaks('basic', 39)).toBe(1);
  expect(await runWithPeaks('basic', 41)).toBe(0);
});

it('vm_workload_consolidation relieves a host that is hot, and down to the relief threshold', async () => {
  const cloud = (cpu: number) => ({
    snapshot: createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 16, vcpusRatio: 4 })),
      instances: Array.from({ length: 8 }, (_, row) => ({ name: `i${row}`, host: 'a', vcpus: 4, memory: 10 })),
    }),
    metrics: { instance_cpu_usage: cpu, instance_ram_usage: 10 },
    parameters: { failure_reserve: 0 },
  });
  const relief = async (cpu: number) => {
    const { actions } = await runStrategy(strategyOf('vm_workload_consolidation'), cloud(cpu));
    return actions.filter(({ reason }) => reason.rule === 'relieve-overload').length;
  };
  // 8 instances of 4 vcpus on 16 CPUs: 45 % of them are 90 % of the host, 42.5 % the relief threshold.
  expect(await relief(45)).toBe(0);
  expect(await relief(46)).toBe(1);
  expect(await relief(51)).toBe(2);
});

it('a consolidated cloud with 5 % of noise needs no relief in 40 audits', async () => {
  const hosts = 12;
  const vms = Array.from({ length: 48 }, (_, row) => ({ name: `i${row}`, vcpus: 4, memory: 100 }));
  const hostOf = vms.map((_, row) => row % hosts);
  const disabled = new Set<number>();
  const noise = (cycle: number, row: number) => {
    const mixed = Math.imul((cycle * 131 + row * 7919 + 17) ^ 0x9e3779b9, 0x85ebca6b);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
  let relieved = 0;
  let moved = 0;
  for (let cycle = 0; cycle < 40; cycle++) {
    const snapshot = createTestWorld({
      hosts: Array.from({ length: hosts }, (_, row) => ({
        hostname: `h${row}`,
        vcpus: 16,
        vcpusRatio: 4,
        ...(disabled.has(row) ? { status: 'disabled' as const, disabledReason: 'watcher_disabled' } : {}),
      })),
      instances: vms.map((vm, row) => ({ ...vm, host: `h${hostOf[row]}` })),
    });
    const cpu = Object.fromEntries(vms.map(({ name }, row) => [name, 40 * (0.95 + 0.1 * noise(cycle, row))]));
    const metrics = { instance_cpu_usage: cpu, instance_ram_usage: 50 };
    const { actions } = await runStrategy(strategyOf('vm_workload_consolidation'), { snapshot, metrics });
    relieved += actions.filter(({ reason }) => reason.rule === 'relieve-overload').length;
    for (const { instance, to } of movesOf(actions)) {
      hostOf[Number(instance.slice(1))] = Number(to.slice(1));
      moved++;
    }
    for (const { actionType, inputParameters: input } of actions)
      if (actionType === 'change_nova_service_state' && input.state === 'disabled')
        disabled.add(Number(String(input.resource_name).slice(1)));
  }
  expect(moved).toBeGreaterThan(0);
  expect(relieved).toBe(0);
});
