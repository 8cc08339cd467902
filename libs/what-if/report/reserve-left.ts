import type { WhatIf } from '#libs/cluster-model';
import { findPlaces, revertMoves, type Verdict } from '../packing/find-places.ts';
import type { Steps } from '../steps.ts';

/** Whether the loss of any one host is covered by the room of the others. */
export interface ReserveLeft {
  /** Hosts that accept instances. */
  hosts: number;
  /** Hosts whose instances all find a place on the others. */
  covered: number;
  /** Hosts whose instances do not, by name. */
  notCovered: string[];
  /** Hosts of which the search does not know, or that were not reached within its limit. */
  unknown: number;
  /** The host with the most used memory. Null without any. */
  largest: { hostname: string; verdict: Verdict } | null;
}

/** Pairs of instance and host that are checked for one reserve, and of one host in the complete search. */
const limits = { checks: 20_000_000, work: 200_000 };

/**
 * Checks for each host whether the others could take its instances, each host alone. Instances that cannot be
 * evacuated at all do not count, since no room would help them.
 * @param hosts rows of the hosts that accept instances
 */
export function* findReserve(model: WhatIf, hosts: readonly number[]): Steps<ReserveLeft> {
  const { hostInfo } = model.snapshot;
  const departure = { way: 'evacuate', sourceDown: true } as const;
  const order = hosts.toSorted((a, b) => model.used(b).memory - model.used(a).memory || a - b);
  const verdicts = new Map<number, Verdict>();
  let checks = 0;
  for (const host of order) {
    const instances = model.instancesOn(host).filter((row) => model.immovable(row, 'evacuate', true) === null);
    checks += instances.length * hosts.length;
    if (checks > limits.checks) break;
    const others = hosts.filter((other) => other !== host);
    const found = yield* findPlaces(model, { instances, hosts: others, departure, work: limits.work });
    revertMoves(model, found.moves);
    verdicts.set(host, found.verdict);
    yield;
  }
  const count = (verdict: Verdict) => [...verdicts.values()].filter((one) => one === verdict).length;
  const nameOf = (row: number) => hostInfo[row]?.hostname ?? '';
  const first = order[0];
  return {
    hosts: hosts.length,
    covered: count('fits'),
    notCovered: order.filter((host) => verdicts.get(host) === 'does_not_fit').map(nameOf),
    unknown: hosts.length - count('fits') - count('does_not_fit'),
    largest: first === undefined ? null : { hostname: nameOf(first), verdict: verdicts.get(first) ?? 'unknown' },
  };
}
