import type { PlacementRule } from '../../api/find-types.ts';

/** Kinds of rules as people call them, in the order in which they are offered. */
export const kindTitles: Readonly<Record<PlacementRule['kind'], string>> = {
  keep_together: 'Keep together',
  keep_apart: 'Keep apart',
  prefer_hosts: 'Prefer hosts',
  avoid_hosts: 'Avoid hosts',
  leave_alone: 'Leave alone',
};

type About = Pick<PlacementRule, 'instances' | 'hosts'>;

/** Which instances a rule is about. */
export function instancesText({ instances: { uuids, names, metadata, projects, flavors } }: About): string {
  const parts = [
    ...listed('name', names),
    ...(uuids && uuids.length > 0
      ? [`${uuids.length === 1 ? 'the instance' : 'the instances'} ${uuids.map((uuid) => uuid.slice(0, 8)).join(', ')}`]
      : []),
    ...listed('project', projects),
    ...listed('flavor', flavors),
    ...Object.entries(metadata ?? {}).map(([key, pattern]) => `${key} = ${pattern}`),
  ];
  return names?.length === 1 && names[0] === '*' && parts.length === 1 ? 'all instances' : parts.join('; ');
}

/** Which hosts a rule names; empty when it is not about hosts. */
export function hostsText({ hosts }: About): string {
  if (!hosts) return '';
  return [
    ...listed('host', hosts.names),
    ...listed('aggregate', hosts.aggregates),
    ...listed('zone', hosts.zones),
  ].join('; ');
}

function listed(noun: string, values: readonly string[] | undefined): string[] {
  return values && values.length > 0 ? [`${noun} ${values.join(', ')}`] : [];
}
