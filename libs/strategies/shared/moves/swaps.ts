import type { WhatIf } from '#libs/cluster-model';

/** Exchanges through a third host in a plan, at most: each costs the planner as much as ordering the plan once more. */
export const mostDetours = 8;

/** How two instances of two hosts can change places. */
export interface SwapWay {
  /** The one that can go first. With a detour either. */
  first: number;
  /** Whether one of them must wait on a third host. */
  detour: boolean;
}

function bufferExists({ snapshot, refusal }: WhatIf, instance: number, hosts: readonly number[]): boolean {
  return snapshot.hostInfo.some((_, host) => !hosts.includes(host) && refusal(instance, host) === null);
}

/**
 * The way in which two instances on different hosts can change places now, or null: each has to fit where the other one
 * has left, and one of them needs room to go first, there or on a third host where `mayDetour`. O(1), and O(hosts) when
 * both hosts are full.
 */
export function swapWay(model: WhatIf, one: number, other: number, mayDetour = true): SwapWay | null {
  const [a, b] = [model.hostOf[one] as number, model.hostOf[other] as number];
  if (a === b || model.refusalAfter(one, b, other) !== null || model.refusalAfter(other, a, one) !== null) return null;
  if (model.refusal(one, b) === null) return { first: one, detour: false };
  if (model.refusal(other, a) === null) return { first: other, detour: false };
  if (!mayDetour) return null;
  const hasBuffer = bufferExists(model, one, [a, b]) || bufferExists(model, other, [a, b]);
  return hasBuffer ? { first: one, detour: true } : null;
}

/** Migrations that an exchange takes, before it is made: one of each instance, and one more to wait on a third host. */
export function migrationsOfSwap(model: WhatIf, one: number, other: number): number {
  return swapWay(model, one, other)?.detour ? 3 : 2;
}

/** Pairs of soft server groups that an exchange breaks, less those that it mends. */
export function softCostOfSwap({ softCost, hostOf }: WhatIf, one: number, other: number): number {
  const [a, b] = [hostOf[one] as number, hostOf[other] as number];
  return softCost(one, b) - softCost(one, a) + softCost(other, a) - softCost(other, b);
}
