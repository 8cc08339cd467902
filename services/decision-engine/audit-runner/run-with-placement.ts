import { hostEffectOf } from '#libs/actions';
import { allowQueried, type ComputeSnapshot, refuseDestinations } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { PlannedAction } from '#libs/plugin-kit';
import type { DeviceMove, PlacementQueries } from './placement-queries.ts';

/** Runs of a strategy that may be repeated because Placement refused a move. */
const mostRounds = 3;

/** A run and its model. */
interface Judged<Run> {
  run: Run;
  snapshot: ComputeSnapshot;
  notes: string[];
}

/**
 * Runs a strategy on a model in which instances with devices may move, checks the proposed moves with Placement, and
 * runs it again without the refused moves. After `mostRounds` runs these instances do not move.
 * @param queries undefined: no instance with devices moves
 */
export async function runWithPlacement<Run extends { actions: PlannedAction[] }>(
  snapshot: ComputeSnapshot,
  queries: PlacementQueries | undefined,
  { run, signal }: { run(snapshot: ComputeSnapshot): Promise<Run>; signal: AbortSignal },
): Promise<Judged<Run>> {
  let current = queries === undefined ? snapshot : allowQueried(snapshot);
  if (queries === undefined || current === snapshot) return { run: await run(snapshot), snapshot, notes: [] };
  const session = queries.open();
  let made = 0;
  let refusals = 0;
  for (let round = 0; round < mostRounds; round++) {
    const found = await run(current);
    const moves = deviceMoves(current, found.actions);
    made += moves.length;
    const refused = await refusedOf(moves, (some) => session.refused(current, some, signal));
    refusals += refused.length;
    if (refused.length === 0) return { run: found, snapshot: current, notes: notesOn(made, refusals) };
    current = without(current, refused);
  }
  return { run: await run(snapshot), snapshot, notes: notesOn(made, refusals) };
}

/** The moves of instances with resources that only Placement counts. */
function deviceMoves(snapshot: ComputeSnapshot, actions: readonly PlannedAction[]): DeviceMove[] {
  const queried = new Set(snapshot.instanceInfo.flatMap((info) => (info.queried ? info.uuid : [])));
  return actions.flatMap((action) => {
    const effect = hostEffectOf(action);
    return effect?.kind === 'move' && queried.has(effect.instance)
      ? [{ instance: effect.instance, host: effect.to }]
      : [];
  });
}

/** Placement checks each move alone, so a plan moves at most one such instance to a host. */
async function refusedOf(
  moves: readonly DeviceMove[],
  judge: (moves: DeviceMove[]) => Promise<DeviceMove[]>,
): Promise<DeviceMove[]> {
  const hosts = new Set<string>();
  const first: DeviceMove[] = [];
  const refused: DeviceMove[] = [];
  for (const move of moves) {
    const isFirst = move.host !== null && !hosts.has(move.host);
    (isFirst ? first : refused).push(move);
    if (move.host !== null) hosts.add(move.host);
  }
  return first.length === 0 ? refused : [...refused, ...(await judge(first))];
}

/** Instances whose host Nova would choose do not move, because Placement can only check a named host. */
function without(snapshot: ComputeSnapshot, refused: readonly DeviceMove[]): ComputeSnapshot {
  const held = new Set(refused.flatMap(({ instance, host }) => (host === null ? instance : [])));
  const named = refused.flatMap(({ instance, host }) => (host === null ? [] : [{ instance, host }]));
  const instanceInfo = snapshot.instanceInfo.map((info) => {
    if (!held.has(info.uuid)) return info;
    const { queried: _, ...rest } = info;
    return rest;
  });
  return refuseDestinations({ ...snapshot, instanceInfo }, named);
}

function notesOn(made: number, refused: number): string[] {
  if (made === 0) return [];
  return [
    `Placement was queried for ${counted(made, 'move')} of instances with devices, of which it refused ${refused}`,
  ];
}
