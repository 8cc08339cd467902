import type { WhatIf } from '#libs/cluster-model';
import type { RejectedAlternative } from '#libs/domain';
import { createRejections } from './rejections.ts';
import { hostAt } from './rows.ts';

/** The host that an instance goes to, and what stood against those before it. */
export interface FirstFeasible {
  /** Row of the host, −1 when none takes it. */
  host: number;
  rejected: RejectedAlternative[];
}

/** The first of the targets, in their order, that takes the instance; targets in `taken` are passed over. */
export function firstFeasible(
  model: WhatIf,
  instance: number,
  targets: readonly number[],
  taken: ReadonlySet<number>,
): FirstFeasible {
  const rejections = createRejections();
  for (const host of targets) {
    const because = taken.has(host) ? 'already-a-destination' : model.refusal(instance, host);
    if (because === null) return { host, rejected: rejections.list() };
    rejections.add(because, hostAt(model.snapshot, host).hostname);
  }
  return { host: -1, rejected: rejections.list() };
}
