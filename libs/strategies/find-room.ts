import type { WhatIf } from '#libs/cluster-model';
import type { RejectedAlternative } from '#libs/domain';
import { createRejections } from './rejections.ts';
import { hostAt } from './rows.ts';

/** Where an instance could go, and what stood against the other hosts. */
export interface Room {
  /** Row of the host, −1 when none takes it. */
  host: number;
  /** The constraint that refused most hosts; null when no host was asked. */
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

/**
 * The feasible host with the smallest allocated share (of vcpus or memory, whichever is larger); ties by row. Hosts in
 * `avoid` are not considered.
 */
export function findRoom(model: WhatIf, instance: number, source: number, avoid?: ReadonlySet<number>): Room {
  const rejections = createRejections();
  let best = -1;
  let bestShare = Number.POSITIVE_INFINITY;
  for (let host = 0; host < model.snapshot.hostInfo.length; host++) {
    if (host === source || avoid?.has(host)) continue;
    const refusal = model.refusal(instance, host);
    if (refusal !== null) {
      rejections.add(refusal, hostAt(model.snapshot, host).hostname);
      continue;
    }
    const candidate = share(model, host);
    if (candidate < bestShare) {
      best = host;
      bestShare = candidate;
    }
  }
  const rejected = rejections.list();
  const main = rejected.reduce<RejectedAlternative | null>(
    (most, entry) => (most === null || entry.others > most.others ? entry : most),
    null,
  );
  return { host: best, mainConstraint: main?.because ?? null, rejected };
}
