import { doublingPause, movingActionTypes } from '#libs/domain';
import { holdingStates, type RecentMove, type UnitOfWork } from '#libs/store';
import { type MoveAllowance, withinAllowance } from '../strategy-runner/move-allowance.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Limits on moves by repeating audits. All default to 0. */
export interface MoveLimits {
  /**
   * Rest of an instance after its first move of the last day, in milliseconds. Twice as long after each further move, a
   * day at most. 0: no rest.
   */
  coolDownMs?: number;
  /**
   * Rest of an instance after a move by an audit with the opposite aim, in milliseconds, a day at most. 0: no longer
   * than after any move.
   */
  oppositeRestMs?: number;
  /** Moves of one instance in a day. 0: no limit. */
  instanceMovesPerDay?: number;
  /** Moves from or to one host in an hour. 0: no limit. */
  hostMovesPerHour?: number;
  /** Moves in the whole cloud in an hour. 0: no limit. */
  cloudMovesPerHour?: number;
}

/** An instance that rests after its moves. */
export interface RestingInstance {
  uuid: string;
  /** Moves in the last day, including pending moves. */
  moves: number;
  /** Whether it rests because an audit with the opposite aim moved it. */
  isOpposite: boolean;
  /** Times in milliseconds since 1970. `repairFromMs`: start of moves that repair a broken rule. */
  untilMs: number;
  repairFromMs: number;
}

/** Moves of all audits that limit further moves. */
export interface MoveLedger {
  /** Instances with most moves first. */
  resting: readonly RestingInstance[];
  /** Moves of the last day by uuid of the instance. */
  moves: ReadonlyMap<string, number>;
  allowance: MoveAllowance;
}

type EndedMove = RecentMove & { endMs: number };

/** Ends of moves by instance. */
function endsOf(moves: readonly EndedMove[]): Map<string, number[]> {
  const ends = new Map<string, number[]>();
  for (const { instance, endMs } of moves) ends.set(instance, [...(ends.get(instance) ?? []), endMs]);
  return ends;
}

/** Counts of moves by host. */
function trafficOf(moves: readonly EndedMove[]): Record<string, number> {
  const hosts: Record<string, number> = {};
  for (const { from, to } of moves)
    for (const host of new Set([from, to])) if (host !== null) hosts[host] = (hosts[host] ?? 0) + 1;
  return hosts;
}

/**
 * Sums up moves for an audit. Pending moves count as made at `nowMs`.
 * @param opposites uuids of audits whose aim undoes that of this one. Default none
 */
export function createMoveLedger(
  recent: readonly RecentMove[],
  nowMs: number,
  limits: MoveLimits,
  opposites: ReadonlySet<string> = new Set(),
): MoveLedger {
  const { oppositeRestMs = 0, hostMovesPerHour = 0, cloudMovesPerHour = 0 } = limits;
  const ofDay = recent
    .map((move): EndedMove => ({ ...move, endMs: move.endedAt?.getTime() ?? nowMs }))
    .filter(({ endMs }) => nowMs - endMs < dayMs);
  const ofHour = ofDay.filter(({ endMs }) => nowMs - endMs < hourMs);
  const ends = endsOf(ofDay);
  const oppositeEnds = endsOf(ofDay.filter(({ audit }) => opposites.has(audit)));
  const resting = [...ends].flatMap(([uuid, own]): RestingInstance[] => {
    const rest = restOf(own, limits);
    const untilMs = Math.max(rest.untilMs, ...(oppositeEnds.get(uuid) ?? []).map((endMs) => endMs + oppositeRestMs));
    const isOpposite = untilMs > rest.untilMs;
    return untilMs > nowMs ? [{ uuid, moves: own.length, isOpposite, ...rest, untilMs }] : [];
  });
  return {
    resting: resting.sort((a, b) => b.moves - a.moves || b.untilMs - a.untilMs || (a.uuid < b.uuid ? -1 : 1)),
    moves: new Map([...ends].map(([uuid, own]) => [uuid, own.length])),
    allowance: {
      cloud: ofHour.length,
      hosts: trafficOf(ofHour),
      perHost: hostMovesPerHour,
      perCloud: cloudMovesPerHour,
    },
  };
}

/** Rest after moves of the last day, from their end times in any order. */
function restOf(
  unsorted: readonly number[],
  { coolDownMs = 0, instanceMovesPerDay = 0 }: MoveLimits,
): Pick<RestingInstance, 'untilMs' | 'repairFromMs'> {
  const ends = [...unsorted].sort((a, b) => a - b);
  const lastMs = ends.at(-1)!;
  const rest = coolDownMs === 0 ? 0 : doublingPause(ends.length - 1, { firstMs: coolDownMs, longestMs: dayMs });
  const isSpent = instanceMovesPerDay > 0 && ends.length >= instanceMovesPerDay;
  const renewedMs = isSpent ? ends[ends.length - instanceMovesPerDay]! + dayMs : 0;
  return { untilMs: Math.max(lastMs + rest, renewedMs), repairFromMs: lastMs + coolDownMs };
}

/**
 * Reads the moves of plans of all audits, reverts included, from the store that all engines share. Null where no limit
 * is set.
 * @param opposites see `createMoveLedger`
 */
export async function readMoveLedger(
  db: Pick<UnitOfWork, 'recentMoves' | 'now'>,
  limits: MoveLimits,
  opposites: ReadonlySet<string> = new Set(),
): Promise<MoveLedger | null> {
  const { coolDownMs, oppositeRestMs, instanceMovesPerDay, hostMovesPerHour, cloudMovesPerHour } = limits;
  if (![coolDownMs, oppositeRestMs, instanceMovesPerDay, hostMovesPerHour, cloudMovesPerHour].some(Boolean))
    return null;
  const [nowMs, recent] = [(await db.now()).getTime(), await db.recentMoves.list(dayMs / 1000, holdingStates)];
  return createMoveLedger(recent, nowMs, limits, opposites);
}

/** Why a plan would exceed the remaining budgets. Null when it is within all budgets. */
export function overdraftOf(
  { moves, allowance }: MoveLedger,
  { instanceMovesPerDay = 0 }: MoveLimits,
  plan: Parameters<typeof withinAllowance>[0],
  urgentRules: readonly string[],
): string | null {
  const spent = plan.find(({ actionType, inputParameters: { resource_id: uuid } }) => {
    const isMove = instanceMovesPerDay > 0 && movingActionTypes.includes(actionType);
    return isMove && (moves.get(String(uuid)) ?? 0) >= instanceMovesPerDay;
  });
  if (spent !== undefined) {
    const { resource_name: name, resource_id: uuid } = spent.inputParameters;
    return `${String(name ?? uuid)} was moved ${moves.get(String(uuid))} times in the last day, and at most ${instanceMovesPerDay} moves are allowed`;
  }
  return withinAllowance(plan, allowance, urgentRules).notes[0] ?? null;
}
