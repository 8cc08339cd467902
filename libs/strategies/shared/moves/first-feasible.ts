import type { WhatIf } from '#libs/cluster-model';
import type { RejectedAlternative } from '#libs/domain';
import { hostAt } from '../hosts/rows.ts';
import { createRejections } from '../report/blocked-tally.ts';
import { createSoftChoice, softGroup } from './soft-choice.ts';

/** The host for an instance, and the obstacles of the hosts before it. */
export interface FirstFeasible {
  /** Row of the host, −1 when none accepts it. */
  host: number;
  rejected: RejectedAlternative[];
}

/**
 * The first of the targets that accepts the instance and breaks the fewest pairs of its soft server group. Skips
 * targets in `taken`.
 */
export function firstFeasible(
  model: WhatIf,
  instance: number,
  targets: readonly number[],
  taken: ReadonlySet<number>,
): FirstFeasible {
  const rejections = createRejections((host) => hostAt(model.snapshot, host).hostname);
  const choice = createSoftChoice(model, instance, (host) => rejections.add(softGroup, host));
  for (const host of targets) {
    const because = taken.has(host) ? 'already-a-destination' : model.refusal(instance, host);
    if (because !== null) rejections.add(because, host);
    else if (choice.offer(host)) break;
  }
  return { host: choice.host, rejected: rejections.list() };
}
