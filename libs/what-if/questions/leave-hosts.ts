import {
  type ComputeSnapshot,
  createWhatIf,
  type InstanceStateName,
  instanceStates,
  type WhatIf,
} from '#libs/cluster-model';
import { counted } from '#libs/domain';
import { findHosts } from '../find-hosts.ts';
import type { Shortage } from '../packing/bounds.ts';
import { type FoundPlaces, findPlaces } from '../packing/find-places.ts';
import type { Departure } from '../packing/packing-problem.ts';
import { acceptingHosts, comparePlaces, compareWorlds, measureBefore, snapshotOf } from '../report/compare-worlds.ts';
import type { NeededMove, Obstacle, WhatIfQuestion, WhatIfResult } from '../report/what-if.ts';
import type { Steps } from '../steps.ts';

/** Pairs of instance and host that the complete search tries at most. */
const searchWork = 20_000_000;

/** States of instances that nothing has to be brought to a host for. */
const gone: ReadonlySet<string> = new Set<InstanceStateName>(['deleted', 'soft-delete', 'shelved_offloaded']);

type Leaving = Extract<WhatIfQuestion, { question: 'lose' | 'remove' }>;

/**
 * Hosts are lost or emptied: whether all their instances find a place on the others. Only these instances move. Those
 * of lost hosts are evacuated, the others move as they run.
 */
export function* leaveHosts(snapshot: ComputeSnapshot, question: Leaving): Steps<WhatIfResult> {
  const isLoss = question.question === 'lose';
  const leaving = findHosts(snapshot, isLoss ? question.kind : 'host', question.names);
  const model = createWhatIf(snapshot);
  const accepting = acceptingHosts(model);
  const before = yield* measureBefore({ model, hosts: accepting });
  const hosts = accepting.filter((row) => !leaving.includes(row));
  const isThere = (row: number) => !gone.has(instanceStates[snapshot.instances.state[row] as number] ?? '');
  const instances = leaving
    .flatMap((host) => model.instancesOn(host))
    .filter(isThere)
    .sort((a, b) => a - b);
  const departure: Departure = isLoss ? { way: 'evacuate', sourceDown: true } : {};
  const ways = new Map(instances.map((row) => [row, isLoss ? 'evacuate' : (model.usualWay(row) ?? 'live')] as const));
  const found = yield* findPlaces(model, { instances, hosts, departure, work: searchWork });
  const after = snapshotOf(model);
  const places = yield* comparePlaces({ snapshot, hosts: accepting }, { snapshot: after, hosts });
  const moves = found.moves.map(
    ({ instance, from, to }): NeededMove => ({
      ...describe(model, instance),
      from: hostName(snapshot, from),
      to: hostName(snapshot, to),
      way: ways.get(instance) ?? 'live',
      memory: snapshot.instances.memory[instance] as number,
    }),
  );
  return {
    verdict: found.verdict,
    text: textOf(found, instances.length, leaving.length),
    because: hosts.length === 0 && found.left.length > 0 ? 'no other host accepts instances' : becauseOf(found),
    ...{ number: null, isExact: true, moves, places, hosts: [] },
    obstacles: found.left.map(
      ({ instance, constraint }): Obstacle => ({
        ...describe(model, instance),
        hostname: hostName(snapshot, model.hostOf[instance] as number),
        ...{ constraint, hosts: null },
      }),
    ),
    ...(yield* compareWorlds(before, { model, hosts })),
    notes: notesOf(snapshot, instances),
  };
}

function describe({ snapshot }: WhatIf, instance: number): { instance: string; name: string } {
  const { uuid = '', name = '' } = snapshot.instanceInfo[instance] ?? {};
  return { instance: uuid, name };
}

function hostName({ hostInfo }: ComputeSnapshot, row: number): string {
  return hostInfo[row]?.hostname ?? '';
}

function textOf({ verdict, moves, left }: FoundPlaces, instances: number, hosts: number): string {
  const all = `${counted(instances, 'instance')} of ${counted(hosts, 'host')}`;
  if (instances === 0) return `${counted(hosts, 'host')} without instances: nothing has to move`;
  if (verdict === 'fits') return `${all}: every one finds a place on the other hosts`;
  const rest = `${moves.length} find a place on the other hosts, ${left.length} do not`;
  return verdict === 'unknown' ? `${all}: ${rest} in the packings that were tried` : `${all}: ${rest}`;
}

function becauseOf({ verdict, shortage, limit, left, hasStranded }: FoundPlaces): string | null {
  if (verdict === 'fits') return null;
  if (limit === 'search') return 'the search reached its limit: another packing may take them all';
  if (limit === 'order')
    return 'the order of the moves decides about hints of same_host, and no order that works was found';
  if (shortage !== null) return shortageText(shortage);
  if (left.some(({ isImmovable }) => isImmovable))
    return 'some instances cannot leave their host, with any room elsewhere';
  return hasStranded ? 'no host takes some of the instances, even alone' : 'every packing of the instances was tried';
}

function shortageText({ resource, items, hosts, needed, available, each }: Shortage): string {
  const where = `${counted(hosts, 'host')} that ${counted(items, 'instance')} may go to`;
  if (resource === 'group') return `a server group needs ${needed} hosts, and has ${available} of the ${where}`;
  if (each === null) return `${resource}: ${needed} are needed, and ${available} are free on the ${where}`;
  const places = `there are ${available} such places on the ${where}`;
  return `${resource}: ${needed} instances need ${each} or more each, and ${places}`;
}

function notesOf({ instanceInfo }: ComputeSnapshot, instances: readonly number[]): string[] {
  const isPinned = (row: number) =>
    Object.keys(instanceInfo[row]?.flavorExtraSpecs ?? {}).some((key) =>
      /^hw:(numa_|cpu_policy|mem_page_size)/.test(key),
    );
  const pinned = instances.filter(isPinned).length;
  return pinned === 0
    ? []
    : [`no API shows the free NUMA nodes of hosts: ${counted(pinned, 'instance')} with such demands may be refused`];
}
