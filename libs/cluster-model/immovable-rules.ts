import type { MoveWay } from '#libs/domain';
import { type ComputeSnapshot, type InstanceInfo, instanceFlag } from './compute-snapshot.ts';
import type { HintRules } from './hints/hint-rules.ts';
import { tpmSecret } from './instance-demands.ts';
import type { MoveWays } from './move-ways.ts';
import type { RuleEvaluator } from './placement-rules/rule-evaluator.ts';
import { portConstraints } from './port-needs.ts';
import type { ConstraintName, WhatIf } from './what-if.ts';

/** Parts of a view that the rules read. */
export interface ImmovableRulesDeps {
  /** Host row of each instance now, read at each call. */
  hostOf: Int32Array;
  ways: MoveWays;
  hints: Pick<HintRules, 'immovable'>;
  rules: Pick<RuleEvaluator, 'leavesAlone'>;
}

/** The reason in the flags against moving an instance. `state` is the reason in its state and its host. */
function immovableReason(flags: number, state: ConstraintName | null): ConstraintName | null {
  if (flags & instanceFlag.excluded) return 'instance-excluded';
  if (flags & instanceFlag.locked) return 'instance-locked';
  if (flags & instanceFlag.busy) return 'instance-busy';
  if (state !== null) return state;
  if (flags & instanceFlag.volumeBound) return 'volume-bound';
  if (flags & instanceFlag.failedLately) return 'migration-failed';
  return flags & instanceFlag.coolingDown ? 'instance-cooling-down' : null;
}

/** The reason in a share, a port or an emulated TPM of an instance. `tpm`: owner of its secret, null without one. */
function attachmentRefusal(
  { shares, ports }: InstanceInfo,
  tpm: string | null,
  way: MoveWay | null,
): ConstraintName | null {
  if (shares !== undefined) return shares === 'attached' ? 'manila-share' : 'shares-unknown';
  if (ports !== undefined) return portConstraints[ports];
  return tpm !== null && (way !== 'live' || tpm === 'user') ? 'vtpm' : null;
}

/** Creates the rules that keep an instance on its host, regardless of the destination. The first reason counts. */
export function createImmovableRules(
  snapshot: ComputeSnapshot,
  { hostOf, ways, hints, rules }: ImmovableRulesDeps,
): WhatIf['immovable'] {
  const { instances, instanceInfo } = snapshot;
  const tpms = instanceInfo.map(tpmSecret);
  return (instance, wanted, sourceDown) => {
    const way = wanted ?? ways.usual(instance);
    const state = way === null ? 'instance-state' : ways.refusal(instance, way, hostOf[instance] as number, sourceDown);
    const because = immovableReason(instances.flags[instance] as number, state);
    if (because !== null) return because;
    // An evacuation proceeds with unknown groups: Nova enforces them.
    if (snapshot.groupsUnknown && way !== 'evacuate') return 'server-groups-unknown';
    const attachment = attachmentRefusal(instanceInfo[instance] as InstanceInfo, tpms[instance] ?? null, way);
    if (attachment !== null) return attachment;
    return hints.immovable(instance) ?? (rules.leavesAlone(instance) ? 'rule-leave-alone' : null);
  };
}
