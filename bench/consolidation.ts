import type { ComputeSnapshot } from '#libs/cluster-model';
import type { JsonObject } from '#libs/domain';
import type { StrategyResult } from '#libs/plugin-kit';
import { collectComputeModel } from '../services/decision-engine/collectors/compute-collector.ts';
import { benchArguments } from './arguments.ts';
import { applyProposal } from './objective-measures.ts';
import { type Proposal, proposeOn } from './propose.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';
import { wallClock, withSimulatedCloud } from './simulator-process.ts';

/** Hosts freed and moves made by Watcher's first fit on the same snapshot, with allocation as utilisation. */
const firstFit = { hostsFreed: 123, migrations: 1522, movedGb: 19_071 };
/** One of both suffices: more freed hosts, or as many as first fit with less moved memory. */
const wanted = { hostsFreed: 135, movedGb: 14_500, seconds: 5 };
/** Of the search, which may move as much as it likes. */
const wantedOfSearch = { hostsFreed: 139, movedGb: 16_000 };
/** First fit fills hosts completely and keeps no reserve. The compared strategy has the same limits. */
const packed: JsonObject = { failure_reserve: 0, target_utilization: { vcpus: 100, memory: 100, disk: 100 } };
const searched: JsonObject = {
  target_utilization: packed.target_utilization ?? {},
  reserve_hosts: 0,
  hot_limit: 100,
  max_moves: 0,
};

/** Runs `vm_workload_consolidation` with every instance at 30 % CPU. */
export async function consolidate(snapshot: ComputeSnapshot): Promise<Proposal> {
  return proposeOn(snapshot, 'vm_workload_consolidation', packed);
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

/** Recounts freed hosts and moved memory of a proposal from the snapshot. */
function measured(name: string, snapshot: ComputeSnapshot, proposal: Proposal) {
  const { hostOf, migrations, refused } = applyProposal(snapshot, proposal.actions);
  const occupied = (hosts: ArrayLike<number>) => new Set(Array.from(hosts).filter((host) => host >= 0)).size;
  return {
    name,
    freed: occupied(snapshot.instances.host) - occupied(hostOf),
    migrations,
    refused,
    moved_gb: rounded(movedGb(snapshot, proposal)),
    seconds: rounded(proposal.seconds),
  };
}

/** Measures how many of the shipped world's 800 hosts both strategies of consolidation free, and at which cost. */
export async function consolidationBench(args: string[]): Promise<void> {
  const { json } = benchArguments(args, {});
  await withSimulatedCloud('azure2017-800', async (cloud) => {
    const snapshot = await collectComputeModel(cloud, { clock: wallClock });
    const rule = measured('vm_workload_consolidation', snapshot, await consolidate(snapshot));
    const proposal = await proposeOn(snapshot, 'consolidation_optimizer', searched);
    const search = measured('consolidation_optimizer', snapshot, proposal);
    const results: BenchResult[] = [
      {
        name: 'baseline: first fit',
        freed: firstFit.hostsFreed,
        migrations: firstFit.migrations,
        moved_gb: firstFit.movedGb,
      },
      rule,
      search,
    ];
    const goals: BenchGoal[] = [
      freedOrMoved(rule.freed, rule.moved_gb),
      { name: 'time', value: rule.seconds, limit: wanted.seconds, unit: 's' },
      {
        name: 'search: hosts freed',
        value: search.freed,
        limit: wantedOfSearch.hostsFreed,
        unit: 'hosts',
        atLeast: true,
      },
      { name: 'search: memory moved', value: search.moved_gb, limit: wantedOfSearch.movedGb, unit: 'GB' },
      { name: 'refused', value: rule.refused + search.refused, limit: 0, unit: 'migrations' },
    ];
    finishBench({ bench: 'consolidation', results, goals }, { json });
  });
}
