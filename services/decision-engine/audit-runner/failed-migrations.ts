import { effectOf, hostEffectOf, revertType } from '#libs/actions';
import { doublingPause, movingActionTypes, type RefusalReason, refusalFacts, volumeActionTypes } from '#libs/domain';
import type { ActionView, UnitOfWork } from '#libs/store';

/** An instance or volume with failed last moves. */
export interface FailedMigration {
  uuid: string;
  /** Failures since its last successful move, in the last week. */
  failures: number;
  /** End of its rest, milliseconds since 1970. */
  heldUntilMs: number;
  /** Kind of the lasting reason of its last refusal, unless the destination was the reason. Absent without one. */
  refusal?: RefusalReason;
}

/** A host that Nova recently refused as destination of an instance. */
export interface RefusedMove {
  instance: string;
  host: string;
  refusal: RefusalReason;
  /** End of the exclusion of the host for the instance, milliseconds since 1970. */
  heldUntilMs: number;
}

/** Recently failed moves that may not be retried yet. */
export interface Failures {
  failedMigrations: FailedMigration[];
  refusedMoves: RefusedMove[];
}

/** Back-off times of failed moves, in milliseconds. 0: no back-off. */
export interface FailureRests {
  /** After a first failure. Doubles with each further failure, at most a day. */
  backOffMs: number;
  /** After a refusal for a lasting reason. */
  refusalRestMs: number;
}

/** Older failures are ignored. */
const memoryMs = 7 * 24 * 3_600_000;
/** Longest back-off of failures without a lasting reason. */
const longestHoldMs = 24 * 3_600_000;

/**
 * Recently failed moves of plans of any audit, and of rollbacks, that may not be retried yet, by database time. If the
 * destination was the reason of a refusal, only that host is excluded after the back-off.
 */
export async function readFailures(db: Pick<UnitOfWork, 'actions' | 'now'>, rests: FailureRests): Promise<Failures> {
  const nowMs = (await db.now()).getTime();
  const isOff = rests.backOffMs === 0 && rests.refusalRestMs === 0;
  const failed = isOff ? [] : await movesThat(db, 'FAILED', new Date(nowMs - memoryMs));
  if (failed.length === 0) return { failedMigrations: [], refusedMoves: [] };
  const succeeded = await movesThat(db, 'SUCCEEDED', new Date(Math.min(...failed.map(({ endedMs }) => endedMs))));
  const holds = ({ heldUntilMs }: { heldUntilMs: number }) => heldUntilMs > nowMs;
  return {
    failedMigrations: failedMigrations(failed, succeeded, rests).filter(holds),
    refusedMoves: rests.refusalRestMs === 0 ? [] : refusedMoves(failed, succeeded, rests.refusalRestMs).filter(holds),
  };
}

/** An action that moved an instance or a volume, or failed to. */
interface PastMove {
  uuid: string;
  /** Host of an instance. Null for volumes, and where Nova chose. */
  host: string | null;
  endedMs: number;
  refusal: RefusalReason | null;
}

/** Types of actions whose failures are remembered. */
const remembered = [...movingActionTypes, ...volumeActionTypes];

async function movesThat(
  db: Pick<UnitOfWork, 'actions'>,
  state: 'FAILED' | 'SUCCEEDED',
  since: Date,
): Promise<PastMove[]> {
  const actions: ActionView[] = await db.actions.list({
    filters: [
      { field: 'actionType', op: 'in', value: [...remembered, revertType] },
      { field: 'state', value: state },
      { field: 'endedAt', op: 'gte', value: since },
    ],
  });
  return actions.flatMap((action) => {
    const { actionType, inputParameters } = effectOf(action);
    const { resource_id: uuid } = inputParameters;
    if (!remembered.includes(actionType) || typeof uuid !== 'string' || action.endedAt === null) return [];
    const effect = hostEffectOf(action);
    const host = effect?.kind === 'move' ? effect.to : null;
    return { uuid, host, endedMs: action.endedAt.getTime(), refusal: action.refusal };
  });
}

/** The last end of the moves of each key. */
function lastEnds(moves: readonly PastMove[], keyOf: (move: PastMove) => string): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const move of moves) ends.set(keyOf(move), Math.max(move.endedMs, ends.get(keyOf(move)) ?? 0));
  return ends;
}

function failedMigrations(
  failed: readonly PastMove[],
  succeeded: readonly PastMove[],
  { backOffMs, refusalRestMs }: FailureRests,
): FailedMigration[] {
  const lastSuccess = lastEnds(succeeded, ({ uuid }) => uuid);
  const since = new Map<string, PastMove[]>();
  for (const move of failed) {
    if (move.endedMs <= (lastSuccess.get(move.uuid) ?? 0)) continue;
    since.set(move.uuid, [...(since.get(move.uuid) ?? []), move]);
  }
  return [...since]
    .map(([uuid, moves]): FailedMigration => {
      const newest = moves.sort((one, other) => other.endedMs - one.endedMs);
      const failures = newest.length;
      const pause = backOffMs && doublingPause(failures - 1, { firstMs: backOffMs, longestMs: longestHoldMs });
      const refused = newest.find(isOwnReason);
      const heldUntilMs = Math.max(
        (newest[0]?.endedMs ?? 0) + pause,
        refused === undefined ? 0 : refused.endedMs + refusalRestMs,
      );
      return { uuid, failures, heldUntilMs, ...(refused?.refusal && { refusal: refused.refusal }) };
    })
    .sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
}

/** Whether a move was refused for a lasting reason other than its destination. */
function isOwnReason({ refusal, host }: PastMove): boolean {
  return refusal !== null && refusalFacts[refusal].lasts && !(refusalFacts[refusal].isOfDestination && host !== null);
}

/** A later success of the same move ends the rest. */
function refusedMoves(failed: readonly PastMove[], succeeded: readonly PastMove[], restMs: number): RefusedMove[] {
  const wayOf = ({ uuid, host }: PastMove) => `${uuid} ${host}`;
  const lastSuccess = lastEnds(succeeded, wayOf);
  const newest = new Map<string, RefusedMove>();
  for (const move of failed.toSorted((one, other) => one.endedMs - other.endedMs)) {
    const { uuid, host, refusal, endedMs } = move;
    if (host === null || refusal === null || isOwnReason(move) || !refusalFacts[refusal].lasts) continue;
    if (endedMs <= (lastSuccess.get(wayOf(move)) ?? 0)) continue;
    newest.set(wayOf(move), { instance: uuid, host, refusal, heldUntilMs: endedMs + restMs });
  }
  return [...newest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, move]) => move);
}
