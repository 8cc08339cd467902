import { hostEffectOf } from '#libs/actions';
import { type ComputeSnapshot, createWhatIf, hostFlag, type WhatIf } from '#libs/cluster-model';
import type { Action, ReserveChange } from '#libs/domain';
import { watchReserve } from '#libs/strategies';

/**
 * Failure domains that lose or gain their reserve by the actions. An instance whose destination is left to Nova, or is
 * none of the hosts, counts on its source host.
 * @param whole every host of the cloud: hosts outside the scope of an audit can take instances of a failed host too
 */
export function reserveOfPlan(
  whole: ComputeSnapshot,
  actions: readonly Pick<Action, 'actionType' | 'inputParameters'>[],
): ReserveChange[] {
  const effects = actions.map(hostEffectOf).filter((effect) => effect !== null);
  if (effects.length === 0) return [];
  const whatIf = createWhatIf(whole);
  const isUp = (row: number) => hasFlag(whole, row, hostFlag.up);
  const reserve = watchReserve(
    whatIf,
    whole.hostInfo.map((_, row) => isUp(row) && hasFlag(whole, row, hostFlag.enabled)),
  );
  const changed = new Set<number>();
  for (const effect of effects) {
    if (effect.kind === 'move') {
      for (const host of move(whatIf, effect)) changed.add(host);
      continue;
    }
    const host = whatIf.hostRow(effect.hostname);
    if (host !== undefined) reserve.setInUse(host, effect.enabled && isUp(host));
  }
  for (const host of changed) reserve.refresh(host);
  return reserve.changes();
}

function hasFlag({ hosts }: ComputeSnapshot, row: number, flag: number): boolean {
  return ((hosts.flags[row] as number) & flag) !== 0;
}

/** Moves an instance to a known host, and returns the rows of the hosts that have changed. */
function move(whatIf: WhatIf, effect: { instance: string; to: string | null }): number[] {
  const instance = whatIf.instanceRow(effect.instance);
  const to = effect.to === null ? undefined : whatIf.hostRow(effect.to);
  if (instance === undefined || to === undefined) return [];
  const from = whatIf.hostOf[instance] as number;
  if (from === to) return [];
  whatIf.move(instance, to);
  return from < 0 ? [to] : [from, to];
}
