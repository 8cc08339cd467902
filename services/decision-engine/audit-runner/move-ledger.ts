import { doublingPause, movingActionTypes } from '#libs/domain';
import { holdingStates, type RecentMove, type UnitOfWork } from '#libs/store';
import { type MoveAllowance, withinAllowance } from '../strategy-runner/move-allowance.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How often repeating audits may move instances. All default to 0. */
export interface MoveLimits {
  /**
   * Rest of an instance after its first move of the last day, in milliseconds. Twice as long after each further move, a
   * day at most. 0: no rest.
   */
  coolDownMs?: number;
  /** Moves of one instance in a day. 0: no limit. */
  instanceMovesPerDay?: number;
  /** Moves from or to one host in an hour. 0: no limit. */
  hostMovesPerHour?: number;
  /** Moves in the whole cloud in an hour. 0: no limit. */
  cloudMovesPerHour?: number;
}

/** An instance that is left alone after its moves. */
export interface RestingInstance {
  uuid: string;
  /** In the last day, those to come included. */
  moves: number;
  /** Times in milliseconds since 1970. `repairFromMs`: from when on it may move to repair a broken rule. */
  untilMs: number;
  repairFromMs: number;
}

/** Moves of all audits that limit the next ones. */
export interface MoveLedger {
  /** Those with most moves first. */
  resting: readonly RestingInstance[];
  /** Moves of the last day by uuid of the instance. */
  moves: ReadonlyMap<string, number>;
  allowance: MoveAllowance;
}

/** Sums up moves. Those to come count as made at `nowMs`. */
export function createMoveLedger(
  recent: readonly Omit<RecentMove, 'strategy'>[],
  nowMs: number,
  { coolDownMs = 0, instanceMovesPerDay = 0, hostMovesPerHour = 0, cloudMovesPerHour = 0 }: MoveLimits,
): MoveLedger {
  const ends = new Map<string, number[]>();
  const hosts: Record<string, number> = {};
  let cloud = 0;
  for (const { instance, from, to, endedAt } of recent) {
    const endMs = endedAt?.getTime() ?? nowMs;
    if (nowMs - endMs >= dayMs) continue;
    ends.set(instance, [...(ends.get(instance) ?? []), endMs]);
    if (nowMs - endMs >= hourMs) continue;
    cloud += 1;
    for (const host of new Set([from, to])) if (host !== null) hosts[host] = (hosts[host] ?? 0) + 1;
  }
  const resting = [...ends].flatMap(([uuid, unsorted]): RestingInstance[] => {
    const own = unsorted.sort((a, b) => a - b);
    const lastMs = own.at(-1)!;
    const rest = coolDownMs === 0 ? 0 : doublingPause(own.length - 1, { firstMs: coolDownMs, longestMs: dayMs });
    const isSpent = instanceMovesPerDay > 0 && own.length >= instanceMovesPerDay;
    const renewedMs = isSpent ? own[own.length - instanceMovesPerDay]! + dayMs : 0;
    const untilMs = Math.max(lastMs + rest, renewedMs);
    return untilMs > nowMs ? [{ uuid, moves: own.length, untilMs, repairFromMs: lastMs + coolDownMs }] : [];
  });
  return {
    resting: resting.sort((a, b) => b.moves - a.moves || b.untilMs - a.untilMs || (a.uuid < b.uuid ? -1 : 1)),
    moves: new Map([...ends].map(([uuid, own]) => [uuid, own.length])),
    allowance: { cloud, hosts, perHost: hostMovesPerHour, perCloud: cloudMovesPerHour },
  };
}

/**
 * Reads the moves of plans of all audits, reverts included, from the store that all engines share. Null where no limit
 * is set.
 */
export async function readMoveLedger(
  db: Pick<UnitOfWork, 'recentMoves' | 'now'>,
  limits: MoveLimits,
): Promise<MoveLedger | null> {
  const { coolDownMs, instanceMovesPerDay, hostMovesPerHour, cloudMovesPerHour } = limits;
  if (!coolDownMs && !instanceMovesPerDay && !hostMovesPerHour && !cloudMovesPerHour) return null;
  const [nowMs, recent] = [(await db.now()).getTime(), await db.recentMoves.list(dayMs / 1000, holdingStates)];
  return createMoveLedger(recent, nowMs, limits);
}

/** The text of why a plan would take more moves than are left. Null when it keeps all budgets. */
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
