import { type BrokenRule, type ComputeSnapshot, misplacedBy, type WhatIf } from '#libs/cluster-model';
import { counted, movingActionTypes } from '#libs/domain';
import type { ProposedAction } from './strategy.ts';

/** Rules and instances that are named at most. */
const mostNamed = { rules: 10, instances: 3 };

const words: Readonly<Record<string, (name: string | null) => string>> = {
  'anti-affinity': (name) => `server group ${name} (anti-affinity)`,
  affinity: (name) => `server group ${name} (affinity)`,
  zone: () => 'the requested zone',
  'aggregate-isolation': () => 'host aggregates',
};

/** Hosts of instances after the actions. Migrations whose destination Nova chooses leave none: −1. */
function hostsAfter(model: Pick<WhatIf, 'snapshot' | 'hostRow' | 'instanceRow'>, actions: readonly ProposedAction[]) {
  const hostOf = model.snapshot.instances.host.slice();
  for (const { actionType, inputParameters: input } of actions) {
    if (!movingActionTypes.includes(actionType)) continue;
    const instance = model.instanceRow(String(input.resource_id));
    if (instance !== undefined) hostOf[instance] = model.hostRow(String(input.destination_node)) ?? -1;
  }
  return hostOf;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed.instances).join(', ');
  return names.length > mostNamed.instances ? `${shown} and ${names.length - mostNamed.instances} more` : shown;
}

function noteOf(
  { instanceInfo, hostInfo, instances }: ComputeSnapshot,
  broken: BrokenRule,
  hostOf: Int32Array,
): string {
  const { because, name, misplaced, hosts } = broken;
  const there = broken.instances.filter((row) => hosts.includes(instances.host[row]!));
  const who = listed(there.map((row) => instanceInfo[row]!.name || instanceInfo[row]!.uuid));
  const where = listed(hosts.map((host) => hostInfo[host]!.hostname));
  const after = misplacedBy(broken, hostOf);
  const verdict =
    after === 0
      ? 'the plan repairs it'
      : after < misplaced
        ? `${after} ${after === 1 ? 'remains' : 'remain'} after the plan`
        : 'it remains';
  const rule = words[because]?.(name) ?? `rule ${name}`;
  return `${rule}: ${misplaced} misplaced (${who} on ${where}); ${verdict}`;
}

/**
 * Hard server groups, strict rules, zones and aggregates that are broken before the plan, for the report of an audit:
 * the instances, and whether the plan repairs them. Nothing when all hold.
 */
export function brokenRuleNotes(
  model: Pick<WhatIf, 'snapshot' | 'hostRow' | 'instanceRow'>,
  broken: readonly BrokenRule[],
  actions: readonly ProposedAction[],
): string[] {
  if (broken.length === 0) return [];
  const hostOf = hostsAfter(model, actions);
  const notes = broken.slice(0, mostNamed.rules).map((one) => `broken today: ${noteOf(model.snapshot, one, hostOf)}`);
  const rest = broken.length - notes.length;
  return rest > 0 ? [...notes, `broken today: ${counted(rest, 'more rule')}`] : notes;
}
