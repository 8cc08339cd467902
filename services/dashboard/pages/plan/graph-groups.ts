import type { LiveKinds } from '../../live/live-entities.ts';
import { routeOf } from './action-text.ts';

type Action = LiveKinds['action'];

/** Similar actions that are drawn as one box, with the same number of actions before them. */
export interface StepGroup {
  /** Its id in the drawing. */
  uuid: string;
  /** Preceding groups and actions. */
  parents: string[];
  actions: readonly Action[];
}

/** A box of the drawing: an action, or a group of them. */
export type GraphBox =
  | { kind: 'action'; uuid: string; parents: string[]; action: Action }
  | ({ kind: 'group' } & StepGroup);

/** Maximum number of boxes. More are unreadable, and slow to lay out. */
export const maxBoxes = 300;

/** From coarse to fine: the properties that actions of a group share beside their stage. */
const commons: readonly ((action: Action) => string)[] = [
  () => '',
  ({ action_type: type }) => type,
  (action) => `${action.action_type} ${routeOf(action)}`,
];

/**
 * Draws similar actions as one box, as finely as the limit allows. Actions of groups in `open` are drawn separately, up
 * to the limit.
 */
export function groupActions(actions: readonly Action[], open: ReadonlySet<string>): GraphBox[] {
  const stages = stagesOf(actions);
  const groupings = commons.map((common) =>
    membersBy(actions, (action) => `${stages.get(action.uuid)} ${common(action)}`),
  );
  const members = groupings.findLast(({ size }) => size <= maxBoxes) ?? groupings[0] ?? new Map<string, Action[]>();
  let boxes = members.size;
  const boxOf = new Map<string, string>();
  for (const [key, alike] of members) {
    const isAlone = alike.length === 1 || (open.has(key) && boxes + alike.length <= maxBoxes);
    if (isAlone) boxes += alike.length - 1;
    for (const { uuid } of alike) boxOf.set(uuid, isAlone ? uuid : key);
  }
  return [...members].flatMap(([key, alike]): GraphBox[] => {
    const parentsOf = (part: readonly Action[], own: string) =>
      [...new Set(part.flatMap(({ parents }) => parents.flatMap((parent) => boxOf.get(parent) ?? [])))].filter(
        (parent) => parent !== own,
      );
    if (boxOf.get(alike[0]?.uuid ?? '') === key)
      return [{ kind: 'group', uuid: key, parents: parentsOf(alike, key), actions: alike }];
    return alike.map((action) => ({
      kind: 'action',
      uuid: action.uuid,
      parents: parentsOf([action], action.uuid),
      action,
    }));
  });
}

/** Every action as a separate box. */
export function singleBoxes(actions: readonly Action[]): GraphBox[] {
  return actions.map((action) => ({ kind: 'action', uuid: action.uuid, parents: [...action.parents], action }));
}

function membersBy(actions: readonly Action[], keyOf: (action: Action) => string): Map<string, Action[]> {
  const members = new Map<string, Action[]>();
  for (const action of actions) {
    const key = keyOf(action);
    const alike = members.get(key);
    if (alike) alike.push(action);
    else members.set(key, [action]);
  }
  return members;
}

/** The longest chain of actions before each action, counted from 1. Linear in actions and edges. */
function stagesOf(actions: readonly Action[]): Map<string, number> {
  const byUuid = new Map(actions.map((action) => [action.uuid, action]));
  const stages = new Map<string, number>();
  for (const { uuid } of actions) {
    const waiting = [uuid];
    while (waiting.length > 0) {
      const current = waiting.at(-1) ?? '';
      const parents = byUuid.get(current)?.parents.filter((parent) => byUuid.has(parent)) ?? [];
      const unknown = parents.filter((parent) => !stages.has(parent) && !waiting.includes(parent));
      if (unknown.length > 0) waiting.push(...unknown);
      else {
        stages.set(current, 1 + parents.reduce((most, parent) => Math.max(most, stages.get(parent) ?? 0), 0));
        waiting.pop();
      }
    }
  }
  return stages;
}

/** Number of actions of a group by state, the most important state first. */
export function statesOf({ actions }: StepGroup): [state: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { state } of actions) counts.set(state, (counts.get(state) ?? 0) + 1);
  const place = (state: string) => stateOrder.indexOf(state) + 1 || stateOrder.length + 1;
  return [...counts].sort(([left], [right]) => place(left) - place(right));
}

const stateOrder = ['FAILED', 'ONGOING', 'CANCELLING', 'PENDING', 'SUCCEEDED'];
