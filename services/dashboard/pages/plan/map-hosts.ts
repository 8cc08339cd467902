import type { HostUse, PlanHost } from '#libs/client';
import type { ClusterSummary } from '../../api/cluster-types.ts';
import { type GroupedHost, hottestFirst } from '../../components/host-map/host-groups.ts';

type CloudHost = ClusterSummary['hosts'][number];

/** Meanings of the colour of a host. */
export const mapMeasures = ['cpu_load', 'memory', 'vcpus', 'disk'] as const;
export type MapMeasure = (typeof mapMeasures)[number];

/** Share of a host in percent of its capacity at the moments of a plan. Null: unknown. */
export interface MapHost extends GroupedHost {
  before: number | null;
  after: number | null;
  /** By the actions carried out so far. */
  soFar: number | null;
  isTouched: boolean;
}

/**
 * The hosts of a plan as stored at its creation, and the other hosts of the cloud, which it does not change. Those that
 * were the hottest before are first.
 * @param cloud the current hosts with their groups. Undefined: unknown, or not permitted
 */
export function mapHosts(
  planned: readonly PlanHost[],
  cloud: ClusterSummary | undefined,
  measure: MapMeasure,
): MapHost[] {
  const aggregateNames = new Map(cloud?.aggregates.map(({ id, name }) => [id, name]));
  const today = new Map(cloud?.hosts.map((host) => [host.hostname, host]));
  const inPlan = new Map(planned.map((host) => [host.hostname, host]));
  const hosts = [...new Set([...today.keys(), ...inPlan.keys()])].map((hostname) => {
    const known = today.get(hostname);
    const aggregates = (known?.aggregates ?? []).flatMap((id) => aggregateNames.get(id) ?? []);
    const shares = sharesOf(inPlan.get(hostname), known, measure);
    return { hostname, zone: known?.zone ?? '', aggregates, ...shares, isTouched: inPlan.has(hostname) };
  });
  return hottestFirst(hosts, ({ before }) => before);
}

function sharesOf(
  planned: PlanHost | undefined,
  today: CloudHost | undefined,
  measure: MapMeasure,
): Pick<MapHost, 'before' | 'after' | 'soFar'> {
  if (!planned) {
    const share =
      measure === 'cpu_load' ? (today?.cpu_load ?? null) : shareOf(today?.[measure].used, today?.[measure].capacity);
    return { before: share, after: share, soFar: share };
  }
  const share = (use: HostUse | null) =>
    measure === 'cpu_load' ? (use?.cpu_load ?? null) : shareOf(use?.[measure], planned.capacity?.[measure]);
  const soFar = share(planned.so_far) ?? (measure === 'cpu_load' ? loadSoFar(planned) : null);
  return { before: share(planned.before), after: share(planned.after), soFar };
}

/**
 * Expected CPU load of a host of which some instances have moved, which is not measured between two migrations. It
 * changes with the memory that has moved.
 */
function loadSoFar({ before, after, so_far: soFar }: PlanHost): number | null {
  const [first, last] = [before?.cpu_load, after?.cpu_load];
  if (!before || !after || !soFar || first === undefined || last === undefined) return null;
  const whole = after.memory - before.memory;
  if (whole === 0) return null;
  const part = Math.min(1, Math.max(0, (soFar.memory - before.memory) / whole));
  return first + (last - first) * part;
}

function shareOf(used: number | undefined, capacity: number | undefined): number | null {
  return used === undefined || !capacity ? null : (100 * used) / capacity;
}

/** Load of a host between before (0) and after (1). */
export function shareAt({ before, after }: Pick<MapHost, 'before' | 'after'>, place: number): number | null {
  if (before === null || after === null) return before ?? after;
  return before + (after - before) * place;
}
