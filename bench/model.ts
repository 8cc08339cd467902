import type { ComputeSnapshot } from '#libs/cluster-model';
import type { Cloud } from '#libs/openstack';
import { collectComputeModel } from '../services/decision-engine/collectors/compute-collector.ts';
import { benchArguments } from './arguments.ts';
import { type BenchResult, finishBench, rounded } from './report.ts';
import { wallClock, withSimulatedCloud } from './simulator-process.ts';

const world = 'azure2017-800';
const limitSeconds = 10;
const expected = { hosts: 800, instances: 15_195 };

/** Milliseconds of a task, and growth of the process in MiB. */
async function timed<T>(task: () => Promise<T>): Promise<{ result: T; ms: number; mib: number }> {
  const before = process.memoryUsage().rss;
  const begin = performance.now();
  const result = await task();
  const ms = performance.now() - begin;
  return { result, ms, mib: (process.memoryUsage().rss - before) / 2 ** 20 };
}

function columnsBytes(snapshot: ComputeSnapshot): number {
  const columns: ArrayBufferView[] = [...Object.values(snapshot.hosts), ...Object.values(snapshot.instances)];
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** The yardstick: one listing of the same servers through the same client. */
async function measure(cloud: Cloud): Promise<{ results: BenchResult[]; seconds: number }> {
  const first = await timed(() => collectComputeModel(cloud, { clock: wallClock }));
  const listing = await timed(() => cloud.compute.listServers({}));
  const second = await timed(() => collectComputeModel(cloud, { clock: wallClock }));
  const snapshot = first.result;
  if (!snapshot.complete) throw new Error(`the model is not complete: ${snapshot.gaps.join('; ')}`);
  const size = { hosts: snapshot.hostInfo.length, instances: snapshot.instanceInfo.length };
  if (size.hosts !== expected.hosts || size.instances !== expected.instances) {
    throw new Error(`the model has ${size.hosts} hosts and ${size.instances} instances`);
  }
  const results = [
    { name: 'baseline: listing the servers alone', instances: listing.result.length, ms: rounded(listing.ms) },
    {
      name: 'model, first time',
      ...size,
      ms: rounded(first.ms),
      grown_mib: rounded(first.mib),
      columns_bytes: columnsBytes(snapshot),
      to_baseline_ratio: rounded(first.ms / listing.ms, 2),
    },
    {
      name: 'model, again',
      ...size,
      ms: rounded(second.ms),
      grown_mib: rounded(second.mib),
      to_baseline_ratio: rounded(second.ms / listing.ms, 2),
    },
  ];
  return { results, seconds: first.ms / 1000 };
}

/** Measures time and memory to build the model of 800 hosts and 15,195 servers over HTTP from the simulated cloud. */
export async function modelBench(args: string[]): Promise<void> {
  const { json } = benchArguments(args, {});
  await withSimulatedCloud(world, async (cloud) => {
    const { results, seconds } = await measure(cloud);
    const goals = [{ name: 'compute model, first time', value: rounded(seconds, 2), limit: limitSeconds, unit: 's' }];
    finishBench({ bench: 'model', results, goals }, { json });
  });
}
