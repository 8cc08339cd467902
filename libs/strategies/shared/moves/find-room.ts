import type { WhatIf } from '#libs/cluster-model';
import type { MoveWay, RejectedAlternative } from '#libs/domain';
import { hostAt } from '../hosts/rows.ts';
import { createRejections } from '../report/blocked-tally.ts';
import { softGroup } from './soft-choice.ts';

/** Possible hosts of an instance, and the obstacles of the others. */
export interface Room {
  /** Row of the host, −1 when none accepts it. */
  host: number;
  /** The constraint that refused most hosts. Null when no host was checked. */
  mainConstraint: string | null;
  rejected: RejectedAlternative[];
}

function share(model: WhatIf, host: number): number {
  const used = model.used(host);
  const capacity = model.capacity(host);
  const vcpus = capacity.vcpus > 0 ? used.vcpus / capacity.vcpus : 1;
  const memory = capacity.memory > 0 ? used.memory / capacity.memory : 1;
  return Math.max(vcpus, memory);
}

/** Input of a search for room. */
export interface Search {
  /** Excluded hosts. */
  avoid?: ReadonlySet<number>;
  /** How the instance leaves its host. Default: its usual way (`usualWay`). */
  way?: MoveWay;
}

/**
 * The feasible host that breaks the fewest pairs of soft server groups. On a tie, the host with the smallest allocated
 * share (of vcpus or memory, whichever is larger), then by row.
 */
export function findRoom(model: WhatIf, instance: number, source: number, { avoid, way }: Search = {}): Room {
  const rejections = createRejections((host) => hostAt(model.snapshot, host).hostname);
  let best = -1;
  let bestShare = Number.POSITIVE_INFINITY;
  let leastCost = Number.POSITIVE_INFINITY;
  for (let host = 0; host < model.snapshot.hostInfo.length; host++) {
    if (host === source || avoid?.has(host)) continue;
    const refusal = model.refusal(instance, host, { way });
    if (refusal !== null) {
      rejections.add(refusal, host);
      continue;
    }
    const cost = model.softCost(instance, host);
    const candidate = share(model, host);
    if (cost < leastCost || (cost === leastCost && candidate < bestShare)) {
      best = host;
      bestShare = candidate;
      leastCost = cost;
    } else if (cost > leastCost) rejections.add(softGroup, host);
  }
  const rejected = rejections.list();
  const main = rejected.reduce<RejectedAlternative | null>(
    (most, entry) => (most === null || entry.others > most.others ? entry : most),
    null,
  );
  return { host: best, mainConstraint: main?.because ?? null, rejected };
}
