import assert from 'node:assert/strict';
import { type ComputeSnapshot, createWhatIf, type WhatIf } from '#libs/cluster-model';
import { type MoveWay, migratingActionTypes, movingActionTypes, serviceActionTypes } from '#libs/domain';
import type { ProposedAction, StrategyPlugin } from '../strategy.ts';
import { planStrategy, runStrategy, type StrategyWorld } from './run-strategy.ts';

/** One proposed migration in plain words. */
export interface ProposedMove {
  instance: string;
  from: string;
  to: string;
}

/** The migrations among the actions, by names, for comparison in tests. */
export function movesOf(actions: readonly ProposedAction[]): ProposedMove[] {
  return actions
    .filter((action) => migratingActionTypes.includes(action.actionType))
    .map(({ inputParameters }) => ({
      instance: String(inputParameters.resource_name ?? inputParameters.resource_id),
      from: String(inputParameters.source_node),
      to: String(inputParameters.destination_node),
    }));
}

/**
 * Applies the proposed migrations to a view of the snapshot and returns it, so that tests can check the cloud after the
 * plan. Fails (AssertionError) on a migration that Nova would refuse in this order, from a host without the instance,
 * or of an unknown item. Service states are followed. Kinds without a destination are left to Nova and skipped. Two
 * consecutive migrations with the rule `swap` are an exchange: each must fit once the other instance has left. The
 * planner decides the order.
 */
export function applyActions(snapshot: ComputeSnapshot, actions: readonly ProposedAction[]): WhatIf {
  const model = createWhatIf(snapshot);
  let open = -1;
  actions.forEach((action, index) => {
    if (serviceActionTypes.includes(action.actionType)) applyServiceState(model, action);
    if (!movingActionTypes.includes(action.actionType)) return;
    const isSecondHalf = open >= 0 && model.instanceRow(String(action.inputParameters.resource_id)) === open;
    open = isSecondHalf ? -1 : partnerOf(model, action, actions[index + 1]);
    applyMigration(model, action, open);
  });
  return model;
}

function applyServiceState(model: WhatIf, action: ProposedAction): void {
  const name = String(action.inputParameters.resource_name ?? action.inputParameters.resource_id);
  const host = model.hostRow(name);
  assert.ok(host !== undefined, `change_nova_service_state names an unknown host ${name}`);
  model.setEnabled(host, action.inputParameters.state === 'enabled');
}

/** Row of the instance of the next move back, the second half of an exchange; −1 without one. */
function partnerOf(
  model: WhatIf,
  { reason, inputParameters }: ProposedAction,
  next: ProposedAction | undefined,
): number {
  const isSwap = reason.rule === 'swap' && next?.reason.rule === 'swap';
  if (!isSwap || next.inputParameters.destination_node !== inputParameters.source_node) return -1;
  const [one, other] = [inputParameters, next.inputParameters].map((input) =>
    model.instanceRow(String(input.resource_id)),
  );
  if (one === undefined || other === undefined) return -1;
  const refusal = model.refusalAfter(other, model.hostOf[one] as number, one);
  assert.equal(refusal, null, `the exchange of ${String(next.inputParameters.resource_id)} would be refused`);
  return other;
}

function applyMigration(model: WhatIf, action: ProposedAction, partner: number): void {
  const { resource_id, source_node, destination_node, migration_type } = action.inputParameters;
  const instance = model.instanceRow(String(resource_id));
  assert.ok(instance !== undefined, `migrate names an unknown instance ${String(resource_id)}`);
  const source = model.snapshot.hostInfo[model.hostOf[instance] ?? -1]?.hostname;
  assert.equal(source_node, source, `migrate of ${String(resource_id)} starts from the wrong host`);
  if (destination_node === undefined || destination_node === null) return;
  const host = model.hostRow(String(destination_node));
  assert.ok(host !== undefined, `migrate names an unknown host ${String(destination_node)}`);
  const way = (migration_type ?? 'evacuate') as MoveWay;
  const there = partner < 0 ? model.refusal(instance, host, { way }) : model.refusalAfter(instance, host, partner);
  const refusal = model.immovable(instance, way) ?? there;
  const what = `${String(resource_id)} from ${source} to ${String(destination_node)}`;
  assert.equal(refusal, null, `the migration of ${what} would be refused`);
  model.move(instance, host);
}

/**
 * Checks the promises that every strategy makes: the same input gives the same result, the snapshot is left alone,
 * every action has a reason in words, its planner can arrange the actions, and its goal can measure them. Fails with an
 * AssertionError, InvalidPluginResultError (planner, goal) or the errors of `runStrategy`.
 */
export async function assertWellBehaved(strategy: StrategyPlugin<object>, world: StrategyWorld): Promise<void> {
  const before = plain(world.snapshot);
  const first = await runStrategy(strategy, world);
  const { result: second } = await planStrategy(strategy, world);
  assert.deepEqual(second, first, 'the same input gave two results');
  assert.deepEqual(plain(world.snapshot), before, 'the strategy changed the snapshot');
  for (const action of first.actions) {
    assert.notEqual(action.reason.summary.trim(), '', `an action ${action.actionType} has no reason`);
  }
  assert.equal(first.report.emptyBecause === null, first.actions.length > 0, 'emptyBecause is set exactly when empty');
}

/** A copy of everything. Cloning alone would share the columns. */
function plain(snapshot: ComputeSnapshot): unknown {
  const columns = (table: object) => Object.entries(table).map(([name, column]) => [name, Array.from(column)]);
  const { hosts, instances, ...rest } = snapshot;
  return { ...structuredClone(rest), hosts: columns(hosts), instances: columns(instances) };
}
