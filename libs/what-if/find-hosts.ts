import type { ComputeSnapshot } from '#libs/cluster-model';
import { InvalidInputError, nearestHint, type WhatIfLoss } from '#libs/domain';

function unknown(kind: string, name: string, known: Iterable<string>): InvalidInputError {
  const hint = nearestHint(name, known);
  return new InvalidInputError('names', `there is no ${kind} ${name.slice(0, 80)}${hint}`);
}

const rackKey = 'rack';
const isRack = (name: string) => /rack/i.test(name);

/** Rows of the hosts of each rack. Nova has none: aggregates with `rack` in their names or in their metadata are. */
function hostsOfRacks({ hostInfo, aggregates }: ComputeSnapshot): Map<string, number[]> {
  const racks = new Map<string, number[]>();
  for (const [index, { name, metadata }] of aggregates.entries()) {
    const value = metadata[rackKey];
    const names = new Set([...(isRack(name) || value !== undefined ? [name] : []), ...(value ? [value] : [])]);
    for (const rack of names) {
      const rows = [...hostInfo.keys()].filter((row) => hostInfo[row]?.aggregates.includes(index));
      racks.set(rack, [...(racks.get(rack) ?? []), ...rows]);
    }
  }
  return racks;
}

function hostsOfZones({ hosts, zones }: ComputeSnapshot): Map<string, number[]> {
  const found = new Map<string, number[]>(zones.map((zone) => [zone, []]));
  for (const [row, zone] of hosts.zone.entries()) found.get(zones[zone] ?? '')?.push(row);
  return found;
}

/** Rows of the hosts of each part that may be lost, by its name. */
export function hostsOfParts(snapshot: ComputeSnapshot, kind: WhatIfLoss): Map<string, number[]> {
  switch (kind) {
    case 'host':
      return new Map(snapshot.hostInfo.map(({ hostname }, row) => [hostname, [row]]));
    case 'rack':
      return hostsOfRacks(snapshot);
    case 'zone':
      return hostsOfZones(snapshot);
  }
}

/** Rows of the hosts that the names stand for, ascending. @throws InvalidInputError with the nearest known name */
export function findHosts(snapshot: ComputeSnapshot, kind: WhatIfLoss, names: readonly string[]): number[] {
  const known = hostsOfParts(snapshot, kind);
  const rows = new Set<number>();
  for (const name of names) {
    const found = known.get(name);
    if (found === undefined) throw unknown(kind, name, known.keys());
    for (const row of found) rows.add(row);
  }
  return [...rows].sort((a, b) => a - b);
}
