import { type Action, migratingActionTypes, powerActionTypes, serviceActionTypes } from '#libs/domain';
import { effectOf } from './effect-of.ts';
import { type HostEffect, hostEffectOf } from './host-effect.ts';

/** The fields of an action that its steps need. */
export type StepAction = Pick<Action, 'uuid' | 'actionType' | 'inputParameters' | 'parents' | 'state' | 'endReason'>;

/** Limits of one start of a plan. */
export interface StepLimits {
  /** Maximum number of migrations. Null: no limit. */
  maxMigrations: number | null;
  /** An operator ordered the plan: an action that users skip does not remove its step. */
  byOrder: boolean;
}

/** The limit leaves no room for the step, or users skip a part of it. */
type CutReason = 'budget' | 'incomplete';

/** The steps of a plan that may start. */
export interface WholeSteps {
  /** Uuids of actions that must not start, with the reason. */
  cut: ReadonlyMap<string, CutReason>;
  /** Number of migrations in the plan, and of allowed migrations. */
  migrations: { planned: number; allowed: number };
  /** The step with the fewest migrations. Null for a plan without migrations. */
  smallest: { migrations: number; hosts: string[] } | null;
}

/** Migrations that are only useful together, with the hosts that they empty. */
interface Group {
  members: StepAction[];
  hosts: Set<string>;
  /** Other groups that free room for its migrations. */
  needs: Set<Group>;
}

/**
 * The whole steps of a plan within a budget of migrations, in the order of the planner. A step is a migration, all
 * migrations of one instance, or a host that the plan disables with all migrations that empty it. A step includes the
 * steps that free room for it. Other actions are cut together with an action that they wait for.
 * @param actions in the order of the planner
 */
export function wholeSteps(actions: readonly StepAction[], limits: StepLimits): WholeSteps {
  const groups = groupsOf(actions);
  const isWhole = (closure: readonly Group[]) => limits.byOrder || !closure.some(isLeftOut);
  const steps = groups.map((group) => ({ group, closure: [...closureOf(group)] }));
  const whole = steps.filter(({ closure }) => isWhole(closure));
  const isComplete = new Set(whole.map(({ group }) => group));
  const { chosen, allowed } = choose(whole, limits.maxMigrations ?? Number.POSITIVE_INFINITY);
  const cut = new Map<string, CutReason>();
  for (const group of groups.filter((one) => !chosen.has(one))) {
    for (const { uuid } of group.members) cut.set(uuid, isComplete.has(group) ? 'budget' : 'incomplete');
  }
  cutDependents(actions, cut);
  return { cut, migrations: { planned: sizeOf(groups), allowed }, smallest: smallestOf(whole) };
}

interface Step {
  group: Group;
  /** The group, and all groups that free room for it. */
  closure: Group[];
}

/** The steps within the limit, in order. */
function choose(steps: readonly Step[], most: number): { chosen: Set<Group>; allowed: number } {
  const chosen = new Set<Group>();
  let allowed = 0;
  for (const { closure } of steps) {
    const missing = closure.filter((group) => !chosen.has(group));
    if (allowed + sizeOf(missing) > most) continue;
    allowed += sizeOf(missing);
    for (const group of missing) chosen.add(group);
  }
  return { chosen, allowed };
}

function smallestOf(steps: readonly Step[]): WholeSteps['smallest'] {
  let smallest: WholeSteps['smallest'] = null;
  for (const { closure } of steps) {
    const migrations = sizeOf(closure);
    if (migrations === 0 || (smallest !== null && migrations >= smallest.migrations)) continue;
    smallest = { migrations, hosts: closure.flatMap(({ hosts }) => [...hosts]) };
  }
  return smallest;
}

function groupsOf(actions: readonly StepAction[]): Group[] {
  const disabled = new Set(actions.flatMap((action) => disabledHost(action) ?? []));
  const keys = new Map(actions.map((action) => [action.uuid, keysOf(action, disabled)]));
  const rootOf = joinKeys([...keys.values()]);
  const byRoot = new Map<string, Group>();
  const byAction = new Map<string, Group>();
  for (const action of actions) {
    const [key] = keys.get(action.uuid) ?? [];
    if (key === undefined) continue;
    const root = rootOf(key);
    const group = byRoot.get(root) ?? { members: [], hosts: new Set(), needs: new Set() };
    byRoot.set(root, group);
    byAction.set(action.uuid, group);
    group.members.push(action);
    const host = disabledHost(action);
    if (host !== null) group.hosts.add(host);
  }
  noteNeeds(actions, byAction);
  return [...byRoot.values()];
}

/** Joins the keys of an action. Returns the key that represents all joined keys. */
function joinKeys(lists: readonly (readonly string[])[]): (key: string) => string {
  const parents = new Map<string, string>();
  function rootOf(key: string): string {
    let root = key;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== key) parents.set(key, root);
    return root;
  }
  for (const [first, ...others] of lists) {
    for (const other of others) {
      const [one, two] = [rootOf(first as string), rootOf(other)];
      if (one !== two) parents.set(two, one);
    }
  }
  return rootOf;
}

/** Names that connect an action with the others of its step. */
function keysOf(action: StepAction, disabled: ReadonlySet<string>): string[] {
  const host = disabledHost(action);
  if (host !== null) return [`host ${host}`];
  const move = migrationOf(action);
  if (move === null) return [];
  const isEmptied = move.from !== null && disabled.has(move.from);
  return [`instance ${move.instance}`, ...(isEmptied ? [`host ${move.from}`] : [])];
}

/** A migration needs the earlier migrations off its destination. */
function noteNeeds(actions: readonly StepAction[], groups: ReadonlyMap<string, Group>): void {
  const moves = new Map(actions.map((action) => [action.uuid, migrationOf(action)]));
  for (const { uuid, parents } of actions) {
    const to = moves.get(uuid)?.to ?? null;
    const group = groups.get(uuid);
    if (to === null || group === undefined) continue;
    for (const parent of parents) {
      const other = groups.get(parent);
      if (moves.get(parent)?.from === to && other !== undefined && other !== group) group.needs.add(other);
    }
  }
}

function closureOf(group: Group): Set<Group> {
  const closure = new Set([group]);
  for (const one of closure) for (const needed of one.needs) closure.add(needed);
  return closure;
}

function sizeOf(groups: readonly Group[]): number {
  let size = 0;
  for (const { members } of groups)
    size += members.filter((member) => isMigration(member) && !isSkipped(member)).length;
  return size;
}

/** Whether users skip a migration of the group, so that the rest does not empty its host. */
function isLeftOut({ members }: Group): boolean {
  return members.some((member) => isMigration(member) && isSkipped(member));
}

/** Users skip an action before the start. The applier gives a separate reason. */
function isSkipped({ state, endReason }: StepAction): boolean {
  return state === 'SKIPPED' && endReason === null;
}

/**
 * Cuts other actions with a cut parent, and those that power off a host that stays. Enabling a service waits for many
 * actions but depends on none.
 */
function cutDependents(actions: readonly StepAction[], cut: Map<string, CutReason>): void {
  const staying = new Map(actions.flatMap((action) => entryOf(disabledHost(action), cut.get(action.uuid))));
  for (let before = -1; before < cut.size; ) {
    before = cut.size;
    for (const action of actions) {
      if (cut.has(action.uuid) || isMigration(action) || isServiceChange(action)) continue;
      const reasons = action.parents.map((parent) => cut.get(parent));
      const reason = reasons.find((one) => one !== undefined) ?? staying.get(poweredOffHost(action) ?? '');
      if (reason !== undefined) cut.set(action.uuid, reason);
    }
  }
}

function entryOf<Value>(key: string | null, value: Value | undefined): [string, Value][] {
  return key === null || value === undefined ? [] : [[key, value]];
}

function poweredOffHost(action: StepAction): string | null {
  const { actionType, inputParameters: input } = effectOf(action);
  if (!powerActionTypes.includes(actionType) || input.state !== 'off') return null;
  return typeof input.resource_name === 'string' ? input.resource_name : null;
}

function isServiceChange(action: StepAction): boolean {
  return serviceActionTypes.includes(effectOf(action).actionType);
}

function disabledHost(action: StepAction): string | null {
  const { inputParameters: input } = effectOf(action);
  if (!isServiceChange(action) || input.state !== 'disabled') return null;
  return String(input.resource_name ?? input.resource_id);
}

function isMigration(action: StepAction): boolean {
  return migrationOf(action) !== null;
}

function migrationOf(action: StepAction): Extract<HostEffect, { kind: 'move' }> | null {
  if (!migratingActionTypes.includes(effectOf(action).actionType)) return null;
  const effect = hostEffectOf(action);
  return effect?.kind === 'move' ? effect : null;
}
