import { effectOf, hostEffectOf } from '#libs/actions';
import { type ComputeSnapshot, createWhatIf, type WhatIf } from '#libs/cluster-model';
import {
  type Action,
  counted,
  evacuatingActionTypes,
  type MoveWay,
  type PlanHosts,
  type RepeatedMoves,
} from '#libs/domain';

type PlannedAction = Pick<Action, 'actionType' | 'inputParameters'>;
type Move = Extract<ReturnType<typeof hostEffectOf>, { kind: 'move' }>;
type Service = Extract<ReturnType<typeof hostEffectOf>, { kind: 'service' }>;
/** A host of the plan, with its planned number of instances. */
type Foreseen = Pick<PlanHosts['hosts'][number], 'hostname'> & { after: { instances: number } };

/**
 * Repeats the moves of a plan on the newest model of the cloud, in the order of the plan. An obstacle is a
 * move that Nova would refuse, or an emptied host that would keep more instances than the plan foresaw.
 * @param actions those that are still to run
 * @param foreseen hosts of the plan when it was made, null where they are unknown
 */
export function repeatMoves(
  whole: ComputeSnapshot,
  actions: readonly PlannedAction[],
  foreseen: { hosts: readonly Foreseen[] } | null,
): RepeatedMoves {
  const whatIf = createWhatIf(whole);
  const disabled = new Set<string>();
  let moves = 0;
  const refused = actions.flatMap((action) => {
    const effect = hostEffectOf(action);
    if (effect?.kind === 'service') setService(whatIf, effect, disabled);
    if (effect?.kind !== 'move') return [];
    moves += 1;
    return makeMove(whatIf, effect, wayOf(action)) ?? [];
  });
  const kept = (foreseen?.hosts ?? []).flatMap(({ hostname, after }) => {
    const host = disabled.has(hostname) ? whatIf.hostRow(hostname) : undefined;
    const more = host === undefined ? 0 : whatIf.instancesOn(host).length - after.instances;
    return more > 0 ? `host ${hostname} would keep ${counted(more, 'more instance')} than planned` : [];
  });
  const obstacles = [...refused, ...kept];
  return { moves, obstacles: obstacles.length, firstObstacle: obstacles[0] ?? null };
}

function setService(whatIf: WhatIf, { hostname, enabled }: Service, disabled: Set<string>): void {
  const host = whatIf.hostRow(hostname);
  if (host !== undefined) whatIf.setEnabled(host, enabled);
  if (enabled) disabled.delete(hostname);
  else disabled.add(hostname);
}

function wayOf(action: PlannedAction): MoveWay {
  const { actionType, inputParameters } = effectOf(action);
  if (evacuatingActionTypes.includes(actionType)) return 'evacuate';
  return inputParameters.migration_type === 'cold' ? 'cold' : 'live';
}

/** Makes the move and returns null, or returns why it is not possible. */
function makeMove(whatIf: WhatIf, { instance: uuid, from, to }: Move, way: MoveWay): string | null {
  const instance = whatIf.instanceRow(uuid);
  if (instance === undefined) return `instance ${uuid} no longer exists`;
  const { name } = whatIf.snapshot.instanceInfo[instance]!;
  const host = whatIf.snapshot.hostInfo[whatIf.hostOf[instance] as number]?.hostname;
  if (host === to) return null;
  if (from !== null && host !== from) return `instance ${name} is on host ${host ?? 'none'} instead of ${from}`;
  const held = whatIf.immovable(instance, way);
  if (held !== null) return `instance ${name} cannot leave host ${host}: ${held}`;
  if (to === null) return leaveToNova(whatIf, instance, way);
  const destination = whatIf.hostRow(to);
  if (destination === undefined) return `host ${to} no longer exists`;
  const refusal = whatIf.refusal(instance, destination, { way });
  if (refusal !== null) return `instance ${name} cannot move to host ${to}: ${refusal}`;
  whatIf.move(instance, destination);
  return null;
}

/** Takes the instance off its host when any host admits it. No place is taken there: Nova may choose another. */
function leaveToNova(whatIf: WhatIf, instance: number, way: MoveWay): string | null {
  const { hostInfo, instanceInfo } = whatIf.snapshot;
  if (hostInfo.every((_, host) => whatIf.refusal(instance, host, { way }) !== null))
    return `no host can take instance ${instanceInfo[instance]?.name}`;
  whatIf.move(instance, -1);
  return null;
}
