import { expect, it } from 'vitest';
import type { ProposedAction, StrategyManifest } from '#libs/plugin-kit';
import { cutToBudget } from './migration-budget.ts';

const plain = { parameters: { type: 'object', properties: {} } } as unknown as StrategyManifest;
const aware = { parameters: { properties: { migration_budget: {} } } } as unknown as StrategyManifest;

function action(actionType: string, inputParameters: ProposedAction['inputParameters']): ProposedAction {
  return { actionType, inputParameters, reason: { rule: 'test', summary: '', values: [], rejected: [] } };
}

const migrate = (id: string, source: string) => action('migrate', { resource_id: id, source_node: source });
const disable = (host: string) =>
  action('change_nova_service_state', { state: 'disabled', resource_id: host, resource_name: host });
const actions = [migrate('1', 'a'), migrate('2', 'b'), migrate('3', 'b'), disable('a'), disable('b')];

it('keeps the first migrations and disables only hosts that they empty', () => {
  const cut = cutToBudget(plain, actions, 2);
  expect(cut.actions).toEqual([actions[0], actions[1], actions[3]]);
  expect(cut.notes).toHaveLength(1);
});

it.each([
  ['no budget', plain, 0],
  ['enough', plain, 3],
  ['a strategy that respects the budget', aware, 1],
  ['a strategy that follows an order', { ...plain, byOrder: true }, 1],
])('leaves everything with %s', (_, manifest, budget) => {
  expect(cutToBudget(manifest, actions, budget)).toEqual({ actions, notes: [] });
});
