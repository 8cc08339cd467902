import type { WhatIf } from '#libs/cluster-model';

/**
 * Maximum number of exchanges through a third host in a plan. Each costs the planner as much as ordering the plan
 * again.
 */
export const mostDetours = 8;

/** How two instances of two hosts can swap. */
export interface SwapWay {
  /** The instance that can move first. With a detour, either one. */
  first: number;
  /** Whether one of them must wait on a third host. */
  detour: boolean;
}

function bufferExists({ snapshot, refusal }: WhatIf, instance: number, hosts: readonly number[]): boolean {
  return snapshot.hostInfo.some((_, host) => !hosts.includes(host) && refusal(instance, host) === null);
}

/**
 * How two instances on different hosts can swap now, or null. Each must fit after the other has left. One of them
 * needs room to move first, there or on a third host if `mayDetour`. O(1), and O(hosts) when both hosts are full.
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

/**
 * Number of migrations of an exchange before it is made: one of each instance, and one more to wait on a third host.
 */
export function migrationsOfSwap(model: WhatIf, one: number, other: number): number {
  return swapWay(model, one, other)?.detour ? 3 : 2;
}

/** Pairs of soft server groups that an exchange breaks, minus the pairs that it restores. */
export function softCostOfSwap({ softCost, hostOf }: WhatIf, one: number, other: number): number {
  const [a, b] = [hostOf[one] as number, hostOf[other] as number];
  return softCost(one, b) - softCost(one, a) + softCost(other, a) - softCost(other, b);
}
