import type { WhatIf } from '#libs/cluster-model';
import { instanceStates } from '#libs/cluster-model';
import { instanceAt, instanceLabel } from '../shared/hosts/rows.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import type { LoadMetric } from './load-table.ts';

/** Instances that may move, per host row. */
export interface Candidates {
  /** Rows on a host that may move and have not yet, ascending. */
  on(host: number): readonly number[];
  /** An instance moves at most once. */
  taken(instance: number, host: number): void;
  readonly count: number;
  /** Room for the smallest of them. A host with less accepts none. */
  readonly smallest: { vcpus: number; memory: number };
}

const running = new Set(['active', 'paused']);

function whyNot(model: WhatIf, metrics: LoadMetric[], instance: number): string | null {
  const immovable = model.immovable(instance);
  if (immovable !== null) return immovable;
  const state = instanceStates[model.snapshot.instances.state[instance] as number];
  if (state === undefined || !running.has(state)) return 'instance-state';
  return metrics.some((metric) => Number.isNaN(metric.use[instance])) ? 'instance-without-metric' : null;
}

/** Collects movable instances with a load on the given hosts, and counts the others by their obstacle. */
export function createCandidates(
  model: WhatIf,
  metrics: LoadMetric[],
  hosts: readonly number[],
  blocked: BlockedTally,
): Candidates {
  const perHost = new Map<number, number[]>();
  const smallest = { vcpus: Number.POSITIVE_INFINITY, memory: Number.POSITIVE_INFINITY };
  let count = 0;
  for (const host of hosts) {
    const movable: number[] = [];
    for (const instance of [...model.instancesOn(host)].sort((a, b) => a - b)) {
      const reason = whyNot(model, metrics, instance);
      if (reason === null) movable.push(instance);
      else blocked.add(reason, instanceLabel(instanceAt(model.snapshot, instance)));
    }
    count += movable.length;
    for (const instance of movable) {
      const needs = model.needs(instance);
      smallest.vcpus = Math.min(smallest.vcpus, needs.vcpus);
      smallest.memory = Math.min(smallest.memory, needs.memory);
    }
    perHost.set(host, movable);
  }
  return {
    count,
    smallest,
    on: (host) => perHost.get(host) ?? [],
    taken(instance, host) {
      const rest = (perHost.get(host) ?? []).filter((candidate) => candidate !== instance);
      perHost.set(host, rest);
    },
  };
}
