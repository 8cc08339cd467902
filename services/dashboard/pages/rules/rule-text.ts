import type { PlacementRule } from '../../api/find-types.ts';
import { text } from '../../texts/texts.ts';

/** Kinds of rules in display order. */
export const ruleKinds: readonly PlacementRule['kind'][] = [
  'keep_together',
  'keep_apart',
  'prefer_hosts',
  'avoid_hosts',
  'leave_alone',
];

type About = Pick<PlacementRule, 'instances' | 'hosts'>;

/** Instances of a rule in words. */
export function instancesText({ instances: { uuids, names, metadata, projects, flavors } }: About): string {
  const parts = [
    ...listed('name', names),
    ...(uuids && uuids.length > 0
      ? [text('rules.about.instance', { count: uuids.length, names: uuids.map((uuid) => uuid.slice(0, 8)).join(', ') })]
      : []),
    ...listed('project', projects),
    ...listed('flavor', flavors),
    ...Object.entries(metadata ?? {}).map(([key, pattern]) => `${key} = ${pattern}`),
  ];
  return names?.length === 1 && names[0] === '*' && parts.length === 1 ? text('rules.about.all') : parts.join('; ');
}

/** Hosts of a rule in words. Empty if it names none. */
export function hostsText({ hosts }: About): string {
  if (!hosts) return '';
  return [
    ...listed('host', hosts.names),
    ...listed('aggregate', hosts.aggregates),
    ...listed('zone', hosts.zones),
  ].join('; ');
}

type AboutKey = 'name' | 'project' | 'flavor' | 'host' | 'aggregate' | 'zone';

function listed(what: AboutKey, values: readonly string[] | undefined): string[] {
  return values && values.length > 0 ? [text(`rules.about.${what}`, { names: values.join(', ') })] : [];
}
