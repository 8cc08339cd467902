import { counted } from './text.ts';
/** Gain of a plan on the newest model, compared with the gain at its creation. */
export interface PlanGain {
  /** Part of the gain that is left, 0 to 1, or more. */
  left: number;
  /** Percentage points of its best terms that the plan promised. */
  promised: number;
  /** Percentage points that it would gain on the newest model. */
  now: number;
}

/** Moves of a plan without a known gain, repeated on the newest model in the order of the plan. */
export interface RepeatedMoves {
  /** Moves that are still to run. */
  moves: number;
  /** Moves that are no longer possible, and hosts that would keep more instances than planned. */
  obstacles: number;
  /** Text of the first obstacle. Null without one. */
  firstObstacle: string | null;
}

/** Changes of the cloud since the creation of a plan. */
export interface PlanStaleness {
  /** Hosts that the plan uses or frees. */
  hosts: number;
  /** Number of these hosts with a known version. 0: the age of the plan is unknown. */
  known: number;
  /** Hosts of them that changed. */
  changed: number;
  /** Migrations by other plans from or to the changed hosts. */
  migrations: number;
  /** Whether the plan acts by order. Its aim then does not depend on the load. */
  byOrder: boolean;
  /** Null when the gain could not be evaluated. */
  gain: PlanGain | null;
  /** Why the gain could not be evaluated. */
  gainUnknownBecause: string | null;
  /** Only for a plan without a known gain. Null when its moves were not repeated. */
  repeated: RepeatedMoves | null;
}

/** Fraction of the gain with which a plan is still valid although hosts changed. */
const stillHolds = 0.9;
/** Below this fraction of the gain a plan is stale although no host changed. */
const leastLeft = 0.5;

/**
 * Whether a plan is stale, which means that its start needs a confirmation. A plan without a known gain is valid while
 * all of its moves are possible and no other plan has moved instances on its hosts. A plan by order also stays valid
 * after moves by other plans.
 */
export function isStale({ changed, gain, ...rest }: Omit<PlanStaleness, 'hosts' | 'known'>): boolean {
  if (gain !== null && gain.left < leastLeft) return true;
  if (changed === 0) return false;
  return gain === null ? !movesHold(rest) : gain.left < stillHolds;
}

type Repetition = Pick<PlanStaleness, 'byOrder' | 'migrations' | 'repeated'>;

function movesHold({ byOrder, migrations, repeated }: Repetition): boolean {
  return repeated !== null && repeated.obstacles === 0 && (byOrder || migrations === 0);
}

/** The age of a plan with its numbers, without a full stop. */
export function stalenessText({ hosts, known, changed, migrations, ...rest }: PlanStaleness): string {
  if (known === 0 && hosts > 0 && rest.gain === null)
    return 'age unknown: the versions of its hosts were not recorded when it was made';
  const what = migrations > 0 ? counted(migrations, 'migration') : `changes`;
  const age = changed > 0 ? `made before ${what} on ${changed} of its ${counted(hosts, 'host')}` : null;
  const { gain, gainUnknownBecause } = rest;
  if (gain !== null) {
    const gains = `would now gain ${points(gain.now)} instead of ${points(gain.promised)}`;
    return age === null ? gains : `${age}: ${gains}`;
  }
  const { repeated } = rest;
  const isJudged = repeated !== null && (repeated.obstacles > 0 || movesHold({ ...rest, migrations }));
  if (isJudged && age !== null) return `${age}: ${repeatedText(repeated)}`;
  const unknown = gainUnknownBecause === null ? '' : `; its gain now is unknown (${gainUnknownBecause})`;
  return `${age ?? `none of its ${counted(hosts, 'host')} changed since it was made`}${unknown}`;
}

function repeatedText({ moves, obstacles, firstObstacle }: RepeatedMoves): string {
  if (obstacles === 0) return `${moves === 1 ? 'its move is' : `all ${moves} moves are`} still possible`;
  return `${firstObstacle}${obstacles > 1 ? `, and ${counted(obstacles - 1, 'other obstacle')}` : ''}`;
}

function points(value: number): string {
  const rounded = Math.abs(value) < 10 ? Math.round(value * 10) / 10 : Math.round(value);
  return counted(rounded, 'point');
}
