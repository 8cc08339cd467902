import { expect } from 'vitest';
import type { ComputeSnapshot } from '#libs/cluster-model';
import type { BlockedAction, PlanLimits, PlannedAction, ProposedAction } from '#libs/plugin-kit';
import { testUuid } from '#libs/plugin-kit/testing';
import { resourcePlanner } from '../planner.ts';

/** For actions of which only the kind matters. */
export const reason = { rule: 'test', summary: 'test', values: [], rejected: [] };
/** Limits that never bind. */
export const wide: PlanLimits = { parallelPerSourceHost: 99, parallelPerDestinationHost: 99, parallelMigrations: 99 };

/** A live migration. Without `destination` the scheduler of Nova chooses. */
export function migrate(instance: string, source: string, destination?: string): ProposedAction {
  return {
    actionType: 'migrate',
    inputParameters: {
      resource_id: testUuid(instance),
      resource_name: instance,
      migration_type: 'live',
      source_node: source,
      ...(destination === undefined ? {} : { destination_node: destination }),
    },
    reason,
  };
}

/** A change of the compute service of `host`. */
export function change(host: string, state: 'enabled' | 'disabled'): ProposedAction {
  const inputParameters = { resource_id: testUuid(host), resource_name: host, state };
  return { actionType: 'change_nova_service_state', inputParameters, reason };
}

/** Plan that the planner makes of `actions`, with predictable uuids. */
export function plan(
  snapshot: ComputeSnapshot,
  actions: ProposedAction[],
  limits = wide,
  onBlocked?: (blocked: BlockedAction) => void,
  leftAlone?: readonly string[],
): PlannedAction[] {
  let next = 0;
  return resourcePlanner.plan(actions, { snapshot, limits, newUuid: () => `uuid-${next++}`, onBlocked, leftAlone });
}

/** Name of an action in a test. */
export function nameOf(action: ProposedAction): string {
  const { state, resource_name: name, message } = action.inputParameters;
  return [state, name ?? message ?? action.actionType].filter(Boolean).join(' ');
}

/** Parents of every action by name. */
export function edges(planned: PlannedAction[]): Record<string, string[]> {
  const names = new Map(planned.map((action) => [action.uuid, nameOf(action)]));
  return Object.fromEntries(
    planned.map((action) => [nameOf(action), action.parents.map((parent) => names.get(parent) as string)]),
  );
}

/** Every parent stands before its children. */
export function expectTopological(planned: PlannedAction[]): void {
  const seen = new Set<string>();
  for (const { uuid, parents } of planned) {
    for (const parent of parents) expect(seen.has(parent)).toBe(true);
    seen.add(uuid);
  }
}
