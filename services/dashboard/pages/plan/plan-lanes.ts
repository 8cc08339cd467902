import type { Action } from '#libs/client';
import { compareNames } from '../../components/compare-names.ts';
import { text } from '../../texts/texts.ts';
import { routeOf, subjectOf, typeText } from './action-text.ts';

type Step = Pick<Action, 'uuid' | 'state' | 'parents' | 'action_type' | 'input_parameters'>;

/** Actions of one group: from or to one host, or of one type. */
export interface Lane<Kind extends Step = Step> {
  title: string;
  actions: Kind[];
  by_state: Record<string, number>;
}

/** Order of states: the most urgent first. */
const urgency = ['FAILED', 'ONGOING', 'CANCELLING', 'PENDING', 'CANCELLED', 'SKIPPED', 'SUCCEEDED'];

/**
 * Migrations by the host that they leave or enter, whichever gives fewer groups, and other actions by their type.
 * Groups with failed actions are first, then running, waiting and completed ones.
 */
export function lanesOf<Kind extends Step>(actions: readonly Kind[]): Lane<Kind>[] {
  const lanes = new Map<string, Lane<Kind>>();
  const ends = actions.map((action) => routeOf(action).split(' → ')).filter(({ length }) => length === 2);
  const isBySource = new Set(ends.map(([from]) => from)).size < new Set(ends.map(([, to]) => to)).size;
  for (const action of actions) {
    const route = routeOf(action);
    const [from = '', to] = route.split(' → ');
    const title =
      to === undefined
        ? [typeText(action.action_type), route].filter(Boolean).join(': ')
        : isBySource
          ? text('plan.laneFrom', { host: from })
          : text('plan.laneTo', { host: to });
    const lane = lanes.get(title) ?? { title, actions: [], by_state: {} };
    lane.actions.push(action);
    lane.by_state[action.state] = (lane.by_state[action.state] ?? 0) + 1;
    lanes.set(title, lane);
  }
  for (const lane of lanes.values())
    lane.actions.sort((left, right) => rank(left.state) - rank(right.state) || named(left, right));
  return [...lanes.values()].sort(
    (left, right) => laneRank(left) - laneRank(right) || compareNames(left.title, right.title),
  );
}

const rank = (state: string) => urgency.indexOf(state);
const laneRank = ({ by_state: states }: Lane) => Math.min(...Object.keys(states).map(rank));
const named = (left: Step, right: Step) => compareNames(subjectOf(left), subjectOf(right));

/** Actions that did not run because of this one: its dependents, directly or indirectly. */
export function blockedBy<Kind extends Step>(action: Step, actions: readonly Kind[]): Kind[] {
  const children = new Map<string, Kind[]>();
  for (const child of actions)
    for (const parent of child.parents) children.set(parent, [...(children.get(parent) ?? []), child]);
  const found = new Set<Kind>();
  const waiting = [...(children.get(action.uuid) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next) || (next.state !== 'SKIPPED' && next.state !== 'CANCELLED')) continue;
    found.add(next);
    waiting.push(...(children.get(next.uuid) ?? []));
  }
  return [...found];
}

/** Estimated duration of an action. */
export interface Estimate {
  /** Total seconds. */
  takes: number;
  /** Milliseconds since 1970 at its start. Null: not started. */
  startedAt: number | null;
}

/** The longest chain of actions that have not ended. */
export interface CriticalPath {
  /** Seconds until its end. Running actions count only with their rest. */
  seconds: number;
  /** Uuids of its actions, in order. */
  uuids: string[];
}

const open = new Set(['PENDING', 'ONGOING', 'CANCELLING']);

/** The chain that determines the end of the plan, at `now` (milliseconds). Empty after all have ended. */
export function criticalPath(
  actions: readonly Step[],
  estimates: ReadonlyMap<string, Estimate>,
  now: number,
): CriticalPath {
  const left = new Map(actions.filter(({ state }) => open.has(state)).map((action) => [action.uuid, action]));
  const ends = new Map<string, { seconds: number; before: string | null }>();
  const endOf = (action: Step): number => {
    const known = ends.get(action.uuid);
    if (known) return known.seconds;
    // A cycle, which no planner creates, must not loop forever.
    ends.set(action.uuid, { seconds: 0, before: null });
    let start = { seconds: 0, before: null as string | null };
    for (const uuid of action.parents) {
      const parent = left.get(uuid);
      const end = parent ? endOf(parent) : 0;
      if (end > start.seconds) start = { seconds: end, before: uuid };
    }
    const { takes = 0, startedAt = null } = estimates.get(action.uuid) ?? {};
    const done = startedAt === null ? 0 : Math.max(0, (now - startedAt) / 1000);
    const seconds = start.seconds + Math.max(0, takes - done);
    ends.set(action.uuid, { seconds, before: start.before });
    return seconds;
  };
  let last: { uuid: string; seconds: number } | null = null;
  for (const action of left.values()) {
    const seconds = endOf(action);
    if (last === null || seconds > last.seconds) last = { uuid: action.uuid, seconds };
  }
  const uuids: string[] = [];
  for (let uuid = last?.uuid ?? null; uuid !== null; uuid = ends.get(uuid)?.before ?? null) uuids.unshift(uuid);
  return { seconds: last?.seconds ?? 0, uuids };
}
