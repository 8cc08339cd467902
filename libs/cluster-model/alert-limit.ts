import type { AlertElement, AlertScope, AlertSelection } from '#libs/domain';
import { type ComputeSnapshot, instanceFlag } from './compute-snapshot.ts';
import { keepHosts } from './keep-hosts.ts';

/** The effect of the alerts of a run on its snapshot. */
export interface AlertLimitReport {
  /** Instances that may move. */
  selected: number;
  hostsRemoved: number;
  /** Names in the labels that the snapshot does not have, such as `host compute-9`. */
  unknown: string[];
}

/**
 * Limits a snapshot to the alerts of a run. Hosts in none of their zones and aggregates are removed with their
 * instances. A selection without these keeps all hosts as destinations. Instances that no selection fits are marked as
 * excluded: they take room and are not moved. An instance is named by uuid or name. Unknown names select nothing.
 */
export function limitToAlerts(
  snapshot: ComputeSnapshot,
  scope: NonNullable<AlertScope>,
): { snapshot: ComputeSnapshot; report: AlertLimitReport } {
  const rows = scope.map((selection) => ({ selection, hosts: hostsOf(snapshot, selection) }));
  const isKept = (row: number) => rows.some(({ hosts }) => hosts === null || hosts.has(row));
  const kept = keepHosts(
    snapshot,
    snapshot.hostInfo.map((_, row) => isKept(row)),
  );
  const hostsRemoved = snapshot.hostInfo.length - kept.hostInfo.length;
  const limited = {
    ...kept,
    ...(hostsRemoved > 0 ? { hostsOutOfScope: (snapshot.hostsOutOfScope ?? 0) + hostsRemoved } : {}),
  };
  return {
    snapshot: limited,
    report: { selected: markOthers(limited, scope), hostsRemoved, unknown: unknownNames(snapshot, scope) },
  };
}

/** Rows of hosts in the zone and the aggregate of a selection. Null when it names neither. */
function hostsOf(snapshot: ComputeSnapshot, { zone, aggregate }: AlertSelection): Set<number> | null {
  if (zone === undefined && aggregate === undefined) return null;
  return new Set(snapshot.hostInfo.flatMap((_, row) => (isIn(snapshot, row, { zone, aggregate }) ? row : [])));
}

function isIn(snapshot: ComputeSnapshot, row: number, { zone, aggregate }: AlertSelection): boolean {
  const aggregates = snapshot.hostInfo[row]?.aggregates ?? [];
  return (
    (zone === undefined || snapshot.zones[snapshot.hosts.zone[row] as number] === zone) &&
    (aggregate === undefined || aggregates.some((index) => snapshot.aggregates[index]?.name === aggregate))
  );
}

/** Marks instances in place (the snapshot is a private copy). @returns how many were selected */
function markOthers(snapshot: ComputeSnapshot, scope: NonNullable<AlertScope>): number {
  let selected = 0;
  snapshot.instanceInfo.forEach(({ uuid, name }, row) => {
    const host = snapshot.instances.host[row] as number;
    const hostname = snapshot.hostInfo[host]?.hostname;
    const isSelected = scope.some(
      (selection) =>
        (selection.host === undefined || selection.host === hostname) &&
        (selection.instance === undefined || selection.instance === uuid || selection.instance === name) &&
        isIn(snapshot, host, selection),
    );
    if (isSelected) selected += 1;
    else snapshot.instances.flags[row] = (snapshot.instances.flags[row] as number) | instanceFlag.excluded;
  });
  return selected;
}

function unknownNames(snapshot: ComputeSnapshot, scope: NonNullable<AlertScope>): string[] {
  const known: Record<AlertElement, ReadonlySet<string>> = {
    host: new Set(snapshot.hostInfo.map(({ hostname }) => hostname)),
    instance: new Set(snapshot.instanceInfo.flatMap(({ uuid, name }) => [uuid, name])),
    aggregate: new Set(snapshot.aggregates.map(({ name }) => name)),
    zone: new Set(snapshot.zones),
  };
  const named = scope.flatMap((selection) => Object.entries(selection) as [AlertElement, string][]);
  return [...new Set(named.flatMap(([element, name]) => (known[element].has(name) ? [] : `${element} ${name}`)))];
}
