import { expect, it } from 'vitest';
import type { ProposedAction } from '#libs/plugin-kit';
import { withinAllowance } from './move-allowance.ts';

function action(actionType: string, inputParameters: ProposedAction['inputParameters'], rule = 'test'): ProposedAction {
  return { actionType, inputParameters, reason: { rule, summary: '', values: [], rejected: [] } };
}

const migrate = (id: string, source: string, destination: string, rule?: string) =>
  action('migrate', { resource_id: id, source_node: source, destination_node: destination }, rule);
const freeing = (host: string) => ({
  ...action('change_nova_service_state', { state: 'disabled', resource_name: host }),
  freesHost: host,
});
const none = { cloud: 0, hosts: {}, perCloud: 0, perHost: 0 };

it('keeps everything within the budgets, and without any', () => {
  const actions = [migrate('1', 'a', 'c'), migrate('2', 'b', 'c'), freeing('a')];
  for (const allowance of [none, { ...none, perCloud: 2 }, { ...none, perHost: 2 }])
    expect(withinAllowance(actions, allowance, [])).toEqual({ actions, notes: [], blocked: [] });
});

it('leaves out migrations beyond the budget of the cloud, with the count', () => {
  const actions = [migrate('1', 'a', 'c'), migrate('2', 'b', 'c')];
  const allowed = withinAllowance(actions, { ...none, cloud: 4, perCloud: 5 }, []);
  expect(allowed.actions).toEqual([actions[0]]);
  expect(allowed.blocked).toEqual([{ constraint: 'move-budget', count: 1, examples: ['2'] }]);
  expect(allowed.notes).toEqual([expect.stringContaining('4 of at most 5 moves of the cloud')]);
});

it('leaves out only migrations from and to the host whose moves are used up', () => {
  const actions = [migrate('1', 'a', 'c'), migrate('2', 'b', 'a'), migrate('3', 'b', 'c')];
  const allowed = withinAllowance(actions, { ...none, hosts: { a: 2 }, perHost: 2 }, []);
  expect(allowed.actions).toEqual([actions[2]]);
  expect(allowed.notes).toEqual([expect.stringContaining('2 of at most 2 moves from and to a')]);
});

it('empties a host completely or not at all', () => {
  const [first, second, third] = [migrate('1', 'a', 'c'), migrate('2', 'a', 'c'), migrate('3', 'b', 'c')];
  const actions = [first, second, third, freeing('a'), freeing('b')];
  const allowed = withinAllowance(actions, { ...none, perCloud: 1 }, []);
  expect(allowed.actions).toEqual([third, freeing('b')]);
  expect(allowed.blocked).toMatchObject([{ count: 2 }]);
});

it('keeps urgent migrations, which leave less for the others', () => {
  const actions = [migrate('1', 'a', 'c', 'hot'), migrate('2', 'a', 'c', 'hot'), migrate('3', 'b', 'c')];
  const allowed = withinAllowance(actions, { ...none, perCloud: 2 }, ['hot']);
  expect(allowed.actions).toEqual(actions.slice(0, 2));
});
