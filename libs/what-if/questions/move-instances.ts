import { type ComputeSnapshot, createWhatIf, type WhatIf } from '#libs/cluster-model';
import { counted, InvalidInputError, nearestHint, whatIfLimits } from '#libs/domain';
import { acceptingHosts, comparePlaces, compareWorlds, measureBefore, snapshotOf } from '../report/compare-worlds.ts';
import type { NeededMove, Obstacle, WhatIfQuestion, WhatIfResult } from '../report/what-if.ts';
import type { Steps } from '../steps.ts';

type MoveQuestion = Extract<WhatIfQuestion, { question: 'move' }>;
interface Wanted {
  instance: number;
  host: number;
}

/**
 * Instances move to chosen hosts, one after the other, with the admission that strategies use: which moves are
 * possible, and the cloud after these.
 * @throws InvalidInputError for an unknown host or instance, a name of several instances, and an instance named twice
 */
export function* moveInstances(snapshot: ComputeSnapshot, { moves }: MoveQuestion): Steps<WhatIfResult> {
  const model = createWhatIf(snapshot);
  const wanted = wantedMoves(model, moves);
  const hosts = acceptingHosts(model);
  const before = yield* measureBefore({ model, hosts });
  const made: NeededMove[] = [];
  const obstacles: Obstacle[] = [];
  for (const { instance, host } of wanted) {
    const from = model.hostOf[instance] as number;
    const names = describe(model, instance);
    const to = hostName(snapshot, host);
    const constraint = model.immovable(instance) ?? model.refusal(instance, host);
    if (constraint !== null) {
      obstacles.push({ ...names, hostname: to, constraint, hosts: null });
      continue;
    }
    const way = model.usualWay(instance) ?? 'live';
    const memory = snapshot.instances.memory[instance] as number;
    model.move(instance, host);
    made.push({ ...names, from: hostName(snapshot, from), to, way, memory });
  }
  const places = yield* comparePlaces({ snapshot, hosts }, { snapshot: snapshotOf(model), hosts });
  const all = counted(wanted.length, 'move');
  return {
    verdict: obstacles.length === 0 ? 'fits' : 'does_not_fit',
    text: obstacles.length === 0 ? `${all}: every one is possible` : `${all}: ${made.length} possible`,
    because: obstacles.length === 0 ? null : 'Nova or a placement rule refuses the other moves',
    ...{ number: null, isExact: true, moves: made, obstacles, places, hosts: [] },
    ...(yield* compareWorlds(before, { model, hosts })),
    notes: ['each move is judged after the ones before it'],
  };
}

function wantedMoves(model: WhatIf, moves: MoveQuestion['moves']): Wanted[] {
  if (moves.length < 1 || moves.length > whatIfLimits.moved)
    throw new InvalidInputError('moves', `between 1 and ${whatIfLimits.moved} moves`);
  const named = new Set<number>();
  return moves.map(({ instance: name, host: hostname }) => {
    const instance = model.instanceRow(name) ?? rowOfName(model.snapshot, name);
    if (named.has(instance)) throw new InvalidInputError('moves', `instance ${shortened(name)} is named twice`);
    named.add(instance);
    const host = model.hostRow(hostname);
    if (host === undefined)
      throw unknown(
        'host',
        hostname,
        model.snapshot.hostInfo.map((info) => info.hostname),
      );
    return { instance, host };
  });
}

function rowOfName({ instanceInfo }: ComputeSnapshot, name: string): number {
  const rows = [...instanceInfo.keys()].filter((row) => instanceInfo[row]?.name === name);
  if (rows.length > 1)
    throw new InvalidInputError('moves', `${rows.length} instances have the name ${shortened(name)}: give a uuid`);
  const [row] = rows;
  if (row !== undefined) return row;
  throw unknown(
    'instance',
    name,
    instanceInfo.map((info) => info.name),
  );
}

function unknown(kind: string, name: string, known: readonly string[]): InvalidInputError {
  const hint = nearestHint(name, known);
  return new InvalidInputError('moves', `there is no ${kind} ${shortened(name)}${hint}`);
}

const shortened = (name: string) => name.slice(0, 80);

function describe({ snapshot }: WhatIf, instance: number): { instance: string; name: string } {
  const { uuid = '', name = '' } = snapshot.instanceInfo[instance] ?? {};
  return { instance: uuid, name };
}

function hostName({ hostInfo }: ComputeSnapshot, row: number): string {
  return hostInfo[row]?.hostname ?? '';
}
