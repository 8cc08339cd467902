import type { ComputeSnapshot } from '#libs/cluster-model';
import { silentLogger } from '#libs/domain';
import { executeStrategy, type MetricsReader, type StrategyResult, validateParameters } from '#libs/plugin-kit';
import { strategyCatalogue } from '#libs/strategies';
import { collectComputeModel } from '../services/decision-engine/collectors/compute-collector.ts';
import { benchArguments } from './arguments.ts';
import { consolidateBySearch } from './consolidation-optimizer.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';
import { wallClock, withSimulatedCloud } from './simulator-process.ts';

/** Hosts freed and moves made by Watcher's first fit on the same snapshot, with allocation as utilisation. */
const firstFit = { hostsFreed: 123, migrations: 1522, movedGb: 19_071 };
/** One of both suffices: more freed hosts, or as many as first fit with less moved memory. */
const wanted = { hostsFreed: 135, movedGb: 14_500, ms: 5000 };
const cpuPercent = 30;
/** First fit fills hosts completely and keeps no reserve. The compared strategy has the same limits. */
const packed = { failure_reserve: 0, target_utilization: { vcpus: 100, memory: 100, disk: 100 } };

function flatMetrics(snapshot: ComputeSnapshot): MetricsReader {
  return {
    hosts: async () => new Float64Array(snapshot.hostInfo.length).fill(Number.NaN),
    instances: async (metric) =>
      new Float64Array(snapshot.instanceInfo.length).fill(metric === 'instance_cpu_usage' ? cpuPercent : Number.NaN),
  };
}

/** Runs `vm_workload_consolidation` with every instance at 30 % CPU. */
export async function consolidate(snapshot: ComputeSnapshot): Promise<StrategyResult> {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === 'vm_workload_consolidation');
  if (strategy === undefined) throw new Error('there is no strategy vm_workload_consolidation');
  return executeStrategy(strategy, {
    snapshot,
    metrics: flatMetrics(snapshot),
    parameters: validateParameters(strategy.manifest.parameters, packed),
    seed: 1,
    nowMs: 0,
    signal: new AbortController().signal,
    log: silentLogger,
  });
}

function movedGb(snapshot: ComputeSnapshot, { actions }: StrategyResult): number {
  const rows = new Map(snapshot.instanceInfo.map(({ uuid }, row) => [uuid, row]));
  const moved = actions.filter(({ actionType }) => actionType === 'migrate');
  const memory = moved.map(({ inputParameters }) => {
    const row = rows.get(String(inputParameters.resource_id)) ?? -1;
    return snapshot.instances.memory[row] ?? 0;
  });
  return memory.reduce((sum, mib) => sum + mib, 0) / 1024;
}

function freedOrMoved(freed: number, moved: number): BenchGoal {
  if (freed >= firstFit.hostsFreed && freed < wanted.hostsFreed)
    return { name: `memory moved to free ${freed} hosts`, value: moved, limit: wanted.movedGb, unit: 'GB' };
  return { name: 'hosts freed', value: freed, limit: wanted.hostsFreed, unit: 'hosts', atLeast: true };
}

/**
 * Measures how many of the shipped world's 800 hosts consolidation frees, and at which cost. `--optimizer` measures
 * `libs/optimizer` instead.
 */
export async function consolidationBench(args: string[]): Promise<void> {
  const { json, flags } = benchArguments(args, {}, ['optimizer']);
  await withSimulatedCloud('azure2017-800', async (cloud) => {
    const snapshot = await collectComputeModel(cloud, { clock: wallClock });
    if (flags.optimizer) {
      finishBench({ bench: 'consolidation', ...consolidateBySearch(snapshot) }, { json });
      return;
    }
    const begin = performance.now();
    const result = await consolidate(snapshot);
    const ms = performance.now() - begin;
    const freed = result.indicators.released_compute_nodes_count ?? 0;
    const moved = rounded(movedGb(snapshot, result));
    const migrations = result.indicators.instance_migrations_count ?? 0;
    const results: BenchResult[] = [
      {
        name: 'baseline: first fit',
        freed: firstFit.hostsFreed,
        migrations: firstFit.migrations,
        moved_gb: firstFit.movedGb,
      },
      { name: 'vm_workload_consolidation', freed, migrations, moved_gb: moved, ms: rounded(ms) },
    ];
    const goals = [freedOrMoved(freed, moved), { name: 'time', value: rounded(ms), limit: wanted.ms, unit: 'ms' }];
    finishBench({ bench: 'consolidation', results, goals }, { json });
  });
}
