import { type ComputeSnapshot, createWhatIf, type WhatIf } from '#libs/cluster-model';
import { counted, InvalidInputError, nearestHint, whatIfLimits } from '#libs/domain';
import type { Verdict } from '../packing/find-places.ts';
import { acceptingHosts, compareWorlds, measureBefore } from '../report/compare-worlds.ts';
import type { Obstacle, WhatIfQuestion, WhatIfResult } from '../report/what-if.ts';
import type { Steps } from '../steps.ts';
import { withInstances } from '../world/change-snapshot.ts';
import { countPlaces, type FlavorPlaces, instanceOf, type WhatIfFlavor } from '../world/flavor-places.ts';

/** Further instances of a flavor: how many fit, and the world with the requested number of them. */
export function* placeInstances(
  snapshot: ComputeSnapshot,
  { flavor, count }: Extract<WhatIfQuestion, { question: 'place' }>,
): Steps<WhatIfResult> {
  checkQuestion(snapshot, flavor, count);
  const model = createWhatIf(snapshot);
  const hosts = acceptingHosts(model);
  const before = yield* measureBefore({ model, hosts });
  const [found] = yield* countPlaces(snapshot, hosts, [flavor]);
  const places = found as FlavorPlaces;
  const verdict = verdictOf(places, count);
  const after = count === null || verdict !== 'fits' ? null : withPlaced(snapshot, flavor, places, count);
  const nameOf = (row: number) => snapshot.hostInfo[row]?.hostname ?? '';
  const obstacles = [...places.refused].map(
    ([constraint, refused]): Obstacle => ({
      ...{ instance: null, name: null, hostname: null },
      ...{ constraint, hosts: refused },
    }),
  );
  return {
    verdict,
    text: textOf(flavor, places, count),
    because: becauseOf(places, verdict),
    ...{ number: places.total, isExact: places.isExact, moves: [], places: [] },
    obstacles: obstacles.sort((a, b) => (b.hosts ?? 0) - (a.hosts ?? 0)),
    hosts: [...places.hosts]
      .map(([row, number]) => ({ hostname: nameOf(row), places: number }))
      .sort((a, b) => b.places - a.places || (a.hostname < b.hostname ? -1 : 1)),
    ...(yield* compareWorlds(before, after && { model: after, hosts })),
    notes: after === null ? [] : ['the instances are spread as Nova weighs by default: the most free memory first'],
  };
}

function checkQuestion({ zones }: ComputeSnapshot, flavor: WhatIfFlavor, count: number | null): void {
  const { placed } = whatIfLimits;
  if (count !== null && !(Number.isInteger(count) && count >= 1 && count <= placed))
    throw new InvalidInputError('count', `must be a whole number from 1 to ${placed}`);
  if (flavor.zone === '' || zones.includes(flavor.zone)) return;
  const hint = nearestHint(flavor.zone, zones);
  throw new InvalidInputError('zone', `there is no zone ${flavor.zone.slice(0, 80)}${hint}`);
}

function verdictOf({ total, isExact }: FlavorPlaces, count: number | null): Verdict {
  if (total < (count ?? 1)) return 'does_not_fit';
  return isExact ? 'fits' : 'unknown';
}

function textOf({ name, zone }: WhatIfFlavor, { total, isExact }: FlavorPlaces, count: number | null): string {
  const where = zone === '' ? '' : ` in zone ${zone}`;
  const number = `${isExact ? '' : 'at most '}${counted(total, 'further instance')} of ${name}`;
  const fit = `${number} ${total === 1 ? 'fits' : 'fit'}${where}`;
  return count === null ? fit : `${fit}, ${count} requested`;
}

function becauseOf({ uncertain }: FlavorPlaces, verdict: Verdict): string | null {
  if (verdict !== 'unknown') return null;
  return `no API shows whether hosts meet all demands of the flavor: ${[...uncertain].sort().join(', ')}`;
}

/** The world with `count` instances, each on the host with the most free memory of those with places. */
function withPlaced(snapshot: ComputeSnapshot, flavor: WhatIfFlavor, places: FlavorPlaces, count: number): WhatIf {
  const left = new Map(places.hosts);
  const free = new Map([...left.keys()].map((row) => [row, freeMemory(snapshot, row)]));
  const chosen: number[] = [];
  const { needs, ...instance } = instanceOf(flavor, 'placed');
  for (let number = 0; number < count; number++) {
    let best = -1;
    for (const [row, places] of left)
      if (places > 0 && (best < 0 || (free.get(row) as number) > (free.get(best) as number))) best = row;
    if (best < 0) break;
    chosen.push(best);
    left.set(best, (left.get(best) as number) - 1);
    free.set(best, (free.get(best) as number) - needs.memory);
  }
  const added = chosen.map((row, number) => {
    const isShared = snapshot.hostInfo[row]?.sharedDisk !== undefined;
    const info = { ...instance.info, uuid: `placed-${number}`, name: `placed-${number}` };
    return {
      ...instance,
      disk: isShared ? 0 : instance.disk,
      info: isShared ? { ...info, sharedDiskGb: instance.disk } : info,
    };
  });
  const model = createWhatIf(withInstances(snapshot, added));
  for (const [number, row] of chosen.entries()) model.move(snapshot.instanceInfo.length + number, row);
  return model;
}

function freeMemory({ hosts }: ComputeSnapshot, row: number): number {
  const [total, reserved, ratio, used] = [hosts.memory, hosts.memoryReserved, hosts.memoryRatio, hosts.memoryUsed].map(
    (column) => column[row] as number,
  ) as [number, number, number, number];
  return (total - reserved) * ratio - used;
}
