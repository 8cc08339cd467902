import { createWhatIf, type WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import { acceptingHosts, hostAt, instanceAt, instanceLabel } from '../shared/hosts/rows.ts';

/** Maximum number of names in a note. */
const namedMost = 5;

function listed(names: readonly string[]): string {
  const more = names.length > namedMost ? ` and ${names.length - namedMost} more` : '';
  return `${names.slice(0, namedMost).join(', ')}${more}`;
}

/** A copy of the model without the server groups of the instances. */
function withoutGroup(model: WhatIf, members: readonly number[]): WhatIf {
  const { snapshot } = model;
  const group = snapshot.instances.group.slice();
  for (const member of members) group[member] = -1;
  const free = createWhatIf({ ...snapshot, instances: { ...snapshot.instances, group } });
  model.hostOf.forEach((host, instance) => {
    if (host !== snapshot.instances.host[instance]) free.move(instance, host);
  });
  return free;
}

/** Whether the host accepts all of the instances together. The model is unchanged afterwards. */
function takesAll(model: WhatIf, members: readonly number[], host: number): boolean {
  const moved: { member: number; from: number }[] = [];
  for (const member of members) {
    if (model.refusal(member, host, { way: 'evacuate' }) !== null) break;
    moved.push({ member, from: model.hostOf[member] as number });
    model.move(member, host);
  }
  for (const { member, from } of moved) model.move(member, from);
  return moved.length === members.length;
}

/**
 * Returns a note for each hard affinity group with all members on failed hosts. The note names the hosts with room for
 * all members after the evacuations of the plan. Nova's filter admits none of the members alone.
 * @param failed rows of the failed hosts; @param avoid rows of hosts that accept no instance; @param isHeld whether an
 * instance stays for another reason: its group has no note
 */
export function affinityWayOut(
  model: WhatIf,
  failed: ReadonlySet<number>,
  avoid: ReadonlySet<number>,
  isHeld: (instance: number) => boolean,
): string[] {
  const { groups, instances } = model.snapshot;
  const membersOf = new Map<number, number[]>();
  instances.group.forEach((group, instance) => {
    if (groups[group]?.policy !== 'affinity' || (instances.host[instance] as number) < 0) return;
    membersOf.set(group, [...(membersOf.get(group) ?? []), instance]);
  });
  return [...membersOf].flatMap(([group, members]) => {
    if (!members.every((member) => failed.has(model.hostOf[member] as number) && !isHeld(member))) return [];
    const free = withoutGroup(model, members);
    const hosts = acceptingHosts(model).filter((host) => !avoid.has(host) && takesAll(free, members, host));
    const names = members.map((member) => instanceLabel(instanceAt(model.snapshot, member)));
    const room =
      hosts.length > 0
        ? `hosts with room for all of them: ${listed(hosts.map((host) => hostAt(model.snapshot, host).hostname))}`
        : 'no host has room for all of them';
    const must = `its ${counted(members.length, 'instance')} (${listed(names)}) must move together to one host`;
    return [`affinity group ${groups[group]?.uuid} is wholly on failed hosts: ${must}; ${room}`];
  });
}
