import { describe, expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { validateParameters } from '#libs/plugin-kit';
import { createTestMetrics, createTestWorld, type TestMetrics } from '#libs/plugin-kit/testing';
import { metrics1, scenario1 } from '../testing/watcher-scenarios.ts';
import { createLoadTable, type LoadMetric } from './load-table.ts';
import { type WorkloadStabilizationParameters, workloadStabilizationParameters } from './parameters.ts';
import { readLoads } from './read-loads.ts';

const snapshot = createTestWorld(scenario1);
const hosts = [0, 1, 2, 3, 4];

async function read(metrics: TestMetrics): Promise<[cpu: LoadMetric, ram: LoadMetric]> {
  const given = { metrics: ['instance_cpu_usage', 'instance_ram_usage'] };
  const parameters = validateParameters(workloadStabilizationParameters, given) as WorkloadStabilizationParameters;
  const [cpu, ram] = await readLoads(createWhatIf(snapshot), createTestMetrics(snapshot, metrics), parameters);
  if (cpu === undefined || ram === undefined) throw new Error('a metric was not read');
  return [cpu, ram];
}

/** Rounded as the reference shows them. */
function rounded(values: Iterable<number>): number[] {
  return [...values].map((value) => Number(value.toFixed(4)));
}

describe('the loads of scenario 1', () => {
  it('are fractions of a host: cpu of 100 percent, ram of 132 MiB', async () => {
    const [cpu, ram] = await read(metrics1);
    expect(rounded(cpu.hostLoad)).toEqual([0.07, 0.07, 0.8, 0.05, 0.05]);
    expect(rounded(ram.hostLoad)).toEqual([0.053, 0.0379, 0.2197, 0.0606, 0.0303]);
  });

  it('are vcpus and MiB for instances: I0 uses 7 % of its 10 vcpus, and 2 MiB', async () => {
    const [cpu, ram] = await read(metrics1);
    expect([cpu.use[0], ram.use[0]]).toEqual([expect.closeTo(0.7, 9), 2]);
  });

  it('are 0.095 and 21 MiB on Node_1 after I5 has come', async () => {
    const loads = await read(metrics1);
    const table = createLoadTable(loads, hosts);
    table.move(5, 2, 1);
    expect(table.load(0, 1)).toBeCloseTo(0.095, 9);
    expect(table.load(1, 1) * 132).toBeCloseTo(21, 9);
    expect(table.load(1, 2) * 132).toBeCloseTo(29 - 16, 9);
  });

  it('are unknown for an instance and a host that sent nothing, and such a host is not in the table', async () => {
    const { I0: _, ...instances } = metrics1.instance_cpu_usage as Record<string, number>;
    const { hostname_3: __, ...known } = metrics1.host_ram_usage as Record<string, number>;
    const loads = await read({ ...metrics1, instance_cpu_usage: instances, host_ram_usage: known });
    expect(loads[0].use[0]).toBeNaN();
    expect(loads[1].use[0]).toBe(2);
    expect(createLoadTable(loads, hosts).hosts).toEqual([0, 1, 2, 4]);
  });
});

describe('disk, network and steal', () => {
  const parametersOf = (given: object) =>
    validateParameters(workloadStabilizationParameters, given as never) as WorkloadStabilizationParameters;
  const loadsOf = (metrics: TestMetrics, given: object) =>
    readLoads(createWhatIf(snapshot), createTestMetrics(snapshot, metrics), parametersOf(given));

  it('bytes per second are shares of a host at full load', async () => {
    const [disk, network] = await loadsOf(
      {
        host_disk_io: { Node_0: 250e6, hostname_1: 50e6 },
        instance_disk_io: { I0: 100e6 },
        host_network_io: { hostname_1: 1e6 },
        instance_network_io: { I0: 5e5 },
      },
      { metrics: ['instance_disk_io', 'instance_network_io'], full_load: { instance_network_io: 1e7 } },
    );
    expect([disk?.hostLoad[1], disk?.hostSize[1], disk?.use[0]]).toEqual([0.1, 500e6, 100e6]);
    expect([network?.hostLoad[1], network?.hostSize[1], network?.use[0]]).toEqual([0.1, 1e7, 5e5]);
    const table = createLoadTable(disk ? [disk] : [], [1]);
    table.move(0, 0, 1);
    expect(table.load(0, 1)).toBeCloseTo(0.3, 9);
  });

  it('steal is CPUs that were waited for, against the pressure on those of the host', async () => {
    const given = { metrics: ['instance_cpu_steal'], weights: { instance_cpu_steal_weight: 0.5 } };
    const [steal] = await loadsOf({ host_cpu_pressure: { hostname_2: 30 }, instance_cpu_steal: { I0: 20 } }, given);
    expect([steal?.name, steal?.weight, steal?.hostLoad[2], steal?.use[0]]).toEqual(['host_cpu_pressure', 0.5, 0.3, 2]);
  });

  it('another host metric may be named', async () => {
    const given = { metrics: ['instance_disk_io'], instance_metrics: { instance_disk_io: 'host_cpu_usage' } };
    const [disk] = await loadsOf({ host_cpu_usage: { hostname_1: 40 }, instance_disk_io: { I0: 1 } }, given);
    expect(disk?.hostLoad[1]).toBe(0.4);
  });
});
