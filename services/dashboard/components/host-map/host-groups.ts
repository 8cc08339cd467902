import { text } from '../../texts/texts.ts';
import { compareNames } from '../compare-names.ts';

/** A host with what it is grouped by. */
export interface GroupedHost {
  hostname: string;
  /** Empty: it has none, or it is not known. */
  zone: string;
  /** Names. */
  aggregates: readonly string[];
}

/** How hosts are put together. */
export type Grouping = 'none' | 'zone' | 'aggregate' | 'rack';

/** Racks are told by aggregates that are named after them: Nova knows none. */
const isRack = (aggregate: string) => /rack/i.test(aggregate);

/** Ways to group these hosts: nothing is offered that none of them says anything about. */
export function groupingsOf(hosts: readonly GroupedHost[]): Grouping[] {
  return [
    'none',
    ...(hosts.some(({ zone }) => zone !== '') ? (['zone', 'aggregate'] as const) : []),
    ...(hosts.some(({ aggregates }) => aggregates.some(isRack)) ? (['rack'] as const) : []),
  ];
}

/** Hosts by group, both in the order of their names. A host in several aggregates is in the first of them. */
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
    .map(([title, members]) => ({ title, hosts: members.sort((a, b) => compareNames(a.hostname, b.hostname)) }))
    .sort((a, b) => compareNames(a.title, b.title));
}
