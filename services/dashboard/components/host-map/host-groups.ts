import { text } from '../../texts/texts.ts';
import { compareNames } from '../compare-names.ts';

/** A host with the values that it can be grouped by. */
export interface GroupedHost {
  hostname: string;
  /** Empty: none, or unknown. */
  zone: string;
  /** Names. */
  aggregates: readonly string[];
}

/** Groupings of hosts. */
export type Grouping = 'none' | 'zone' | 'aggregate' | 'rack';

/** Racks are the aggregates named after them: Nova has no racks. */
const isRack = (aggregate: string) => /rack/i.test(aggregate);

/** Groupings for these hosts, without those for which no host has a value. */
export function groupingsOf(hosts: readonly GroupedHost[]): Grouping[] {
  return [
    'none',
    ...(hosts.some(({ zone }) => zone !== '') ? (['zone', 'aggregate'] as const) : []),
    ...(hosts.some(({ aggregates }) => aggregates.some(isRack)) ? (['rack'] as const) : []),
  ];
}

/** Hosts by group in their order, groups sorted by name. A host in several aggregates belongs to the first of them. */
export function groupsOf<Host extends GroupedHost>(
  hosts: readonly Host[],
  grouping: Grouping,
): { title: string; hosts: Host[] }[] {
  const nameOf = ({ zone, aggregates }: Host) => {
    if (grouping === 'none') return '';
    if (grouping === 'zone') return zone || text('map.noZone');
    const names = grouping === 'rack' ? aggregates.filter(isRack) : aggregates;
    return [...names].sort()[0] ?? text(grouping === 'rack' ? 'map.noRack' : 'map.noAggregate');
  };
  const groups = new Map<string, Host[]>();
  for (const host of hosts) {
    const group = groups.get(nameOf(host));
    if (group) group.push(host);
    else groups.set(nameOf(host), [host]);
  }
  return [...groups]
    .map(([title, members]) => ({ title, hosts: members }))
    .sort((a, b) => compareNames(a.title, b.title));
}

/** Hosts by falling share, then by name. Those without one are last. */
export function hottestFirst<Host extends GroupedHost>(
  hosts: readonly Host[],
  shareOf: (host: Host) => number | null,
): Host[] {
  return [...hosts].sort((a, b) => (shareOf(b) ?? -1) - (shareOf(a) ?? -1) || compareNames(a.hostname, b.hostname));
}
