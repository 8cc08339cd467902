import type { HostUse, PlanHost } from '#libs/client';
import type { ClusterSummary } from '../../api/cluster-types.ts';

type ResourceUse = ClusterSummary['hosts'][number]['memory'];

/** What the colour of a host tells. */
export type MapMeasure = 'memory' | 'vcpus';

/** Allocated part of a host in percent at the moments of a plan; null: not known. */
export interface MapHost {
  hostname: string;
  zone: string;
  aggregates: readonly string[];
  before: number | null;
  after: number | null;
  /** By the actions that were carried out so far. */
  soFar: number | null;
  isTouched: boolean;
}

/**
 * The hosts of a plan as they were stored when it was made, and the others of the cloud, which it leaves as they are.
 * @param cloud the hosts of today with their groups; undefined: not known, or not to be seen
 */
export function mapHosts(
  planned: readonly PlanHost[],
  cloud: ClusterSummary | undefined,
  measure: MapMeasure,
): MapHost[] {
  const aggregateNames = new Map(cloud?.aggregates.map(({ id, name }) => [id, name]));
  const today = new Map(cloud?.hosts.map((host) => [host.hostname, host]));
  const inPlan = new Map(planned.map((host) => [host.hostname, host]));
  return [...new Set([...today.keys(), ...inPlan.keys()])]
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((hostname) => {
      const known = today.get(hostname);
      const aggregates = (known?.aggregates ?? []).flatMap((id) => aggregateNames.get(id) ?? []);
      const shares = sharesOf(inPlan.get(hostname), known?.[measure], measure);
      return { hostname, zone: known?.zone ?? '', aggregates, ...shares, isTouched: inPlan.has(hostname) };
    });
}

function sharesOf(
  planned: PlanHost | undefined,
  today: ResourceUse | undefined,
  measure: MapMeasure,
): Pick<MapHost, 'before' | 'after' | 'soFar'> {
  if (!planned) {
    const share = shareOf(today?.used, today?.capacity);
    return { before: share, after: share, soFar: share };
  }
  const share = (use: HostUse | null) => shareOf(use?.[measure], planned.capacity?.[measure]);
  return { before: share(planned.before), after: share(planned.after), soFar: share(planned.so_far) };
}

function shareOf(used: number | undefined, capacity: number | undefined): number | null {
  return used === undefined || !capacity ? null : (100 * used) / capacity;
}

/** How hosts are put together. */
export type Grouping = 'none' | 'zone' | 'aggregate' | 'rack';

/** Racks are told by aggregates that are named after them: Nova knows none. */
const isRack = (aggregate: string) => /rack/i.test(aggregate);

/** Whether any host says in which rack it is. */
export function knowsRacks(hosts: readonly MapHost[]): boolean {
  return hosts.some(({ aggregates }) => aggregates.some(isRack));
}

/** Hosts by group, in the order of their names; a host in several aggregates is in the first of them. */
export function groupsOf(hosts: readonly MapHost[], grouping: Grouping): { title: string; hosts: MapHost[] }[] {
  const nameOf = ({ zone, aggregates }: MapHost) => {
    if (grouping === 'none') return '';
    if (grouping === 'zone') return zone || 'No zone';
    const names = grouping === 'rack' ? aggregates.filter(isRack) : aggregates;
    return [...names].sort()[0] ?? (grouping === 'rack' ? 'No rack' : 'No aggregate');
  };
  const groups = new Map<string, MapHost[]>();
  for (const host of hosts) {
    const group = groups.get(nameOf(host));
    if (group) group.push(host);
    else groups.set(nameOf(host), [host]);
  }
  return [...groups]
    .map(([title, members]) => ({ title, hosts: members }))
    .sort((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }));
}

/** What a host holds between before (0) and after (1). */
export function shareAt({ before, after }: Pick<MapHost, 'before' | 'after'>, place: number): number | null {
  if (before === null || after === null) return before ?? after;
  return before + (after - before) * place;
}

/** Shares that are the two ends of the colours: 0 and 100 (absolute), or the least and the most that hosts hold before or after. */
export function scaleOf(hosts: readonly MapHost[], isRelative: boolean): { from: number; to: number } {
  if (!isRelative) return { from: 0, to: 100 };
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const share of hosts.flatMap(({ before, after }) => [before, after])) {
    if (share === null) continue;
    from = Math.min(from, share);
    to = Math.max(to, share);
  }
  return to > from ? { from, to } : { from: 0, to: 100 };
}
