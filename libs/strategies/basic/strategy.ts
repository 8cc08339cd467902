import { createWhatIf, totalCpus, type WhatIf } from '#libs/cluster-model';
import type { StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { createBlockedTally } from '../blocked-tally.ts';
import { acceptingHosts } from '../host-rows.ts';
import { instanceAt } from '../rows.ts';
import { emptyHosts } from './empty-hosts.ts';
import { explainPlan } from './explain.ts';
import { basicManifest } from './manifest.ts';
import { createMeasuredCpu } from './measured-cpu.ts';
import { keptByMetadata } from './optimize-metadata.ts';
import type { BasicParameters } from './parameters.ts';
import { type Loads, readLoads } from './read-loads.ts';
import { scoreOf } from './score.ts';

/** Scores of the given hosts by CPU, see `scoreOf`; indexed by row. */
function hostScores({ snapshot }: WhatIf, { hostPercent }: Loads): Float64Array {
  const cpus = totalCpus(snapshot);
  return hostPercent.map((percent, row) => {
    const vcpus = cpus[row] as number;
    return scoreOf({ vcpus, memory: 1, disk: 1 }, { vcpus: (vcpus * percent) / 100, memory: 0, disk: 0 });
  });
}

function whyEmpty(withInstances: number, reserve: number): string {
  if (withInstances === 0) return 'no enabled compute node has an instance';
  if (withInstances === 1) return 'all instances are on one compute node already';
  const what = reserve > 0 ? `no more than the reserve of ${reserve} compute nodes` : 'no compute node';
  return `${what} can be emptied into the others completely`;
}

/**
 * Frees the least loaded hosts. Throws MetricsMissingError when hosts or instances have no CPU measurement at all.
 */
export const basicStrategy: StrategyPlugin<BasicParameters> = {
  manifest: basicManifest,
  async run({ model, metrics, parameters, signal }): Promise<StrategyResult> {
    const { snapshot } = model;
    const blocked = createBlockedTally();
    const enabled = acceptingHosts(model);
    const occupied = enabled.filter((host) => model.instancesOn(host).length > 0);
    const loads = await readLoads(model, metrics, parameters, occupied, blocked);
    const scores = hostScores(model, loads);
    const order = [...loads.known].sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
    const cpu = createMeasuredCpu(model, loads);
    const {
      migration_attempts: attempts,
      reserve_hosts: reserve = 0,
      check_optimize_metadata: asksMetadata,
    } = parameters;
    const immovable = (row: number) =>
      model.immovable(row) ?? (asksMetadata && keptByMetadata(instanceAt(snapshot, row)) ? 'optimize-metadata' : null);
    const plan = emptyHosts({ model, immovable, cpu, loads, order, attempts, reserve, blocked, signal });
    const actions = explainPlan(createWhatIf(snapshot), createMeasuredCpu(model, loads), order, plan);
    return {
      actions,
      indicators: {
        compute_nodes_count: enabled.length,
        released_compute_nodes_count: plan.freed.length,
        instance_migrations_count: plan.moves.length,
      },
      report: {
        hosts: { considered: snapshot.hostInfo.length, eligible: occupied.length },
        instances: {
          considered: snapshot.instanceInfo.length,
          eligible: occupied.reduce(
            (sum, host) => sum + model.instancesOn(host).filter((row) => immovable(row) === null).length,
            0,
          ),
        },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(occupied.length, reserve),
        notes: [
          `${plan.freed.length} of ${enabled.length} enabled hosts are freed by ${plan.moves.length} migrations`,
          ...loads.notes,
        ],
      },
    };
  },
};
