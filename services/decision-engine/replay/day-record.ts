import type { PastActions } from '#libs/plugin-kit';
import type { DayAudit } from './audits.ts';
import type { DayCloud } from './day-cloud.ts';
import { stepSeconds } from './replay-world.ts';
import type { RunningPlan } from './run-plan.ts';

interface Move {
  instance: number;
  from: number;
  to: number;
  /** In seconds from the start. */
  at: number;
  /** Text of the audit. */
  by: string;
}

/** Time for which a host counts as woken, as in the decision engine. */
const wokenSeconds = 3600;

/** All operations of the plans of an audit. */
interface Operations {
  departures: Map<string, string>;
  disabled: Set<string>;
}

/** A move for the ledger of the audits and for the result. */
export interface RecordedMove {
  instance: string;
  from: string | null;
  to: string | null;
  /** Text of the audit. */
  audit: string;
  endedAt: Date;
}

/** The changes that plans have made in a replay, and their counts. */
export interface DayRecord {
  /** Counts a plan that starts. */
  countPlan(): void;
  /** Counts instances for which no host had room. */
  countNotPlaced(instances: number): void;
  /** Records an ended plan. */
  note(plan: RunningPlan, audit: DayAudit): void;
  /** The changes of earlier plans, for the audit's strategy at `second`. */
  pastOf(audit: DayAudit, second: number): PastActions;
  moveCount(): number;
  /** Finished moves in the order of time. */
  moves(): RecordedMove[];
  /** Number of moves that ended in an hour. Hours start at 0. */
  movesIn(hour: number): number;
  /** Counts named `moves_by_STRATEGY`. */
  movesByStrategy(): Record<string, number>;
  /** @param settledStep moves from this step on are also counted separately */
  sums(settledStep: number): Record<string, number>;
}

/** Creates an empty record. */
export function createDayRecord(cloud: DayCloud, audits: readonly DayAudit[]): DayRecord {
  const { world } = cloud;
  const operations = createOperations(audits);
  const moves: Move[] = [];
  /** Hosts that each instance has left. */
  const former = world.instances.map(() => new Set<number>());
  const movesBy = new Map(audits.map(({ strategyName }) => [`moves_by_${strategyName}`, 0]));
  let [returns, refused, notPlaced, plans] = [0, 0, 0, 0];

  function recorded({ instance, from, to, at, by }: Move): RecordedMove {
    const [source, target] = [world.hosts[from]?.name ?? null, world.hosts[to]?.name ?? null];
    const endedAt = new Date(world.startMs + at * 1000);
    return { instance: cloud.uuidOf(instance), from: source, to: target, audit: by, endedAt };
  }

  return {
    countPlan() {
      plans += 1;
    },
    countNotPlaced(instances) {
      notPlaced += instances;
    },
    note(plan, audit) {
      const counter = `moves_by_${audit.strategyName}`;
      movesBy.set(counter, (movesBy.get(counter) ?? 0) + plan.moved.length);
      const ofGoal = audits.filter(({ goalName }) => goalName === audit.goalName);
      for (const move of plan.moved) {
        if (former[move.instance]?.has(move.to)) returns += 1;
        former[move.instance]?.add(move.from);
        for (const { text } of ofGoal)
          operations.noteDeparture(text, cloud.uuidOf(move.instance), world.hosts[move.from]?.name ?? '');
        moves.push({ ...move, by: audit.text });
      }
      for (const change of plan.services) operations.noteService(audit.text, change);
      refused += plan.refused.length;
    },
    pastOf: operations.pastOf,
    moveCount: () => moves.length,
    moves: () => moves.map(recorded),
    movesIn: (hour) => moves.filter(({ at }) => Math.floor(at / 3600) === hour).length,
    movesByStrategy: () => Object.fromEntries(movesBy),
    sums: (settledStep) => ({
      ...{ plans, moves: moves.length, returns, refused, not_placed: notPlaced },
      moves_per_instance: moves.length / world.instances.length,
      most_moves_of_one: cloud.moves.reduce((most, count) => Math.max(most, count), 0),
      instances_moved_over_3: cloud.moves.filter((count) => count > 3).length,
      settled_moves: moves.filter(({ at }) => at >= settledStep * stepSeconds).length,
    }),
  };
}

/** The changes of each audit's plans, by text of the audit. */
function createOperations(audits: readonly DayAudit[]) {
  const noOperations = (): Operations => ({ departures: new Map(), disabled: new Set() });
  const known = new Map(audits.map((audit) => [audit.text, noOperations()]));
  /** Times in seconds at which hosts were enabled. */
  const enabledAt = new Map<string, number>();
  return {
    pastOf({ text }: DayAudit, second: number): PastActions {
      const { departures, disabled } = known.get(text) ?? noOperations();
      const woken = [...enabledAt].flatMap(([hostname, at]) => (second - at <= wokenSeconds ? hostname : []));
      return { departures: Object.fromEntries(departures), disabled: [...disabled], woken, failures: 0, open: [] };
    },
    noteDeparture: (text: string, uuid: string, hostname: string) => known.get(text)?.departures.set(uuid, hostname),
    noteService(text: string, { hostname, enabled, at }: RunningPlan['services'][number]): void {
      if (enabled) known.get(text)?.disabled.delete(hostname);
      else known.get(text)?.disabled.add(hostname);
      if (enabled) enabledAt.set(hostname, at);
      else enabledAt.delete(hostname);
    },
  };
}
