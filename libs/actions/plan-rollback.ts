import type { Action, JsonObject, Revertibility } from '#libs/domain';
import type { ActionPlugin, JournalEntries } from '#libs/plugin-kit';
import { orderReverts } from './order-reverts.ts';

/** An action of a plan that has ended. */
export interface DoneAction
  extends Pick<Action, 'uuid' | 'actionType' | 'inputParameters' | 'parents' | 'state' | 'rollbackState'> {
  /** Journal of its last attempt. Null without one. */
  journal: JournalEntries | null;
  /** Whether an earlier rollback has undone it. */
  isUndone: boolean;
}

/** How a rollback handles an action that took effect, or may have. */
export interface RevertStep<Done extends DoneAction = DoneAction> {
  action: Done;
  verdict: Revertibility;
  /** Text for users: how the action is reverted, or that it is not. */
  summary: string;
  /** Uuids of the actions to undo before it. Null when it is not undone. */
  waitsFor: readonly string[] | null;
  /** 1 for actions without dependencies. Null when it is not undone. */
  stage: number | null;
}

/** Facts about action types. */
export interface TypeKnowledge {
  /** Types with loaded plugins. */
  plugins: readonly ActionPlugin[];
  /** As reported by the appliers. Null for a type that no applier has. */
  revertibleOf(actionType: string): Revertibility | null;
}

/** Parts of a journal from an earlier revert. The next one must drop them. */
const waysBack = new Set(['backward', 'backward_confirm', 'undo', 'abort', 'revert']);

/**
 * Describes how the actions of an ended plan would be undone, in the order of reverting: children before parents, by
 * the rules of `orderReverts`. Actions that are not undone come last.
 */
export function planRollback<Done extends DoneAction>(
  actions: readonly Done[],
  types: TypeKnowledge,
): RevertStep<Done>[] {
  const plugins = new Map(types.plugins.map((plugin) => [plugin.name, plugin]));
  const steps = actions.filter(mayHaveTakenEffect).map((action) => judge(action, plugins, types));
  const tasks = steps
    .filter(({ verdict, action }) => verdict !== 'impossible' && !action.isUndone)
    .map(({ action }) => ({
      uuid: action.uuid,
      hasTakenEffect: action.state === 'SUCCEEDED',
      ...plugins.get(action.actionType)?.revertUse?.(action.inputParameters),
    }));
  const order = orderReverts(tasks, childrenOf(actions));
  const stages = stagesOf(order);
  const placed = steps.map((step) => {
    const waitsFor = order.get(step.action.uuid);
    const isPlaced = waitsFor !== undefined;
    return {
      ...step,
      waitsFor: isPlaced ? nearest(waitsFor, order, stages) : null,
      stage: isPlaced ? (stages.get(step.action.uuid) ?? 1) : null,
    };
  });
  return placed.sort((one, other) => (one.stage ?? Number.MAX_VALUE) - (other.stage ?? Number.MAX_VALUE));
}

/** The input of the `revert` action that undoes `action`. */
export function inputOfRevert(action: DoneAction): JsonObject {
  const { resource_id: id, resource_name: name } = action.inputParameters;
  return {
    action_uuid: action.uuid,
    action_type: action.actionType,
    ...(typeof id === 'string' ? { resource_id: id } : {}),
    ...(typeof name === 'string' ? { resource_name: name } : {}),
    input_parameters: action.inputParameters,
    journal: {
      intent: wayThere(action.journal?.intent ?? {}),
      result: action.journal?.result ? wayThere(action.journal.result) : null,
    },
  };
}

function wayThere(entries: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !waysBack.has(key)));
}

/** A failed action may have taken effect after it sent a request. */
function mayHaveTakenEffect({ state, journal }: DoneAction): boolean {
  if (state === 'SUCCEEDED') return true;
  const requested = Object.values(journal?.intent ?? {}).some((entry) => typeof entry === 'object');
  return state === 'FAILED' && requested;
}

function judge<Done extends DoneAction>(
  action: Done,
  plugins: ReadonlyMap<string, ActionPlugin>,
  types: TypeKnowledge,
): Pick<RevertStep<Done>, 'action' | 'verdict' | 'summary'> {
  const verdict = types.revertibleOf(action.actionType) ?? 'impossible';
  const journal = action.journal ?? { intent: {}, result: null };
  const plugin = plugins.get(action.actionType);
  const described = verdict === 'impossible' ? null : plugin?.describeRevert?.(action.inputParameters, journal);
  if (described === null) {
    const why = plugin?.describeIrreversible?.(action.inputParameters);
    return { action, verdict: 'impossible', summary: why ?? `This ${action.actionType} cannot be undone` };
  }
  const summary = described ?? `Undoes ${action.actionType} ${resourceOf(action)}`.trimEnd();
  return { action, verdict, summary: action.state === 'FAILED' ? `${summary}, if it took effect` : summary };
}

function resourceOf({ inputParameters: { resource_name: name, resource_id: id } }: DoneAction): string {
  const text = name ?? id;
  return typeof text === 'string' ? `of ${text}` : '';
}

function childrenOf(actions: readonly DoneAction[]): { childrenOf(uuid: string): readonly string[] } {
  const children = new Map<string, string[]>();
  for (const { uuid, parents } of actions) {
    for (const parent of parents) children.set(parent, [...(children.get(parent) ?? []), uuid]);
  }
  return { childrenOf: (uuid) => children.get(uuid) ?? [] };
}

function stagesOf(order: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const stages = new Map<string, number>();
  const stageOf = (uuid: string): number => {
    const known = stages.get(uuid);
    if (known !== undefined) return known;
    const stage = 1 + Math.max(0, ...(order.get(uuid) ?? []).map(stageOf));
    stages.set(uuid, stage);
    return stage;
  };
  for (const uuid of order.keys()) stageOf(uuid);
  return stages;
}

/** Removes dependencies that another item of the list implies. */
function nearest(
  waitsFor: readonly string[],
  order: ReadonlyMap<string, readonly string[]>,
  stages: ReadonlyMap<string, number>,
): string[] {
  const latestFirst = [...waitsFor].sort((one, other) => (stages.get(other) ?? 0) - (stages.get(one) ?? 0));
  const covered = new Set<string>();
  const kept: string[] = [];
  for (const uuid of latestFirst) {
    if (covered.has(uuid)) continue;
    kept.push(uuid);
    for (const other of order.get(uuid) ?? []) covered.add(other);
  }
  return kept;
}
