import { expect, it } from 'vitest';
import { plannerCatalogue } from '#libs/planners';
import type { PlannerPlugin, ProposedAction, StrategyManifest } from '#libs/plugin-kit';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { planActions } from './plan-actions.ts';

const planner = plannerCatalogue.find(({ name }) => name === 'resource') as PlannerPlugin;
const manifest = { parameters: { type: 'object', properties: {} } } as unknown as StrategyManifest;
const limits = { parallelMigrations: 9, parallelPerSourceHost: 9, parallelPerDestinationHost: 9 };
const reason = { rule: 'test', summary: 'test', values: [], rejected: [] };

const migrate = (name: string, source: string, destination: string): ProposedAction => ({
  actionType: 'migrate',
  inputParameters: {
    resource_id: testUuid(name),
    resource_name: name,
    source_node: source,
    destination_node: destination,
  },
  reason,
});
const disable = (host: string): ProposedAction => ({
  actionType: 'change_nova_service_state',
  inputParameters: { state: 'disabled', resource_id: testUuid(host), resource_name: host },
  reason,
});

/** Full hosts a and b, and c with room for the given vcpus. */
function run(
  actions: ProposedAction[],
  { room = 8, budget = 0, indicators = {}, searched = {}, leftAlone = [] as string[] },
) {
  const snapshot = createTestWorld({
    hosts: [
      { hostname: 'a', vcpus: 4 },
      { hostname: 'b', vcpus: 4 },
      { hostname: 'c', vcpus: room },
    ],
    instances: [
      { name: 'a1', host: 'a', vcpus: 4 },
      { name: 'b1', host: 'b', vcpus: 4 },
    ],
  });
  const report = {
    hosts: { considered: 3, eligible: 3 },
    instances: { considered: 2, eligible: 2 },
    blocked: [],
    emptyBecause: null,
    notes: [],
    ...searched,
  };
  let next = 0;
  const result = { actions, indicators, report, leftAlone };
  return planActions({ manifest, result, planner, budget }, { snapshot, limits, newUuid: () => `${next++}` });
}

it('counts the actions that the budget leaves in the plan', () => {
  const indicators = {
    compute_nodes_count: 3,
    released_compute_nodes_count: 2,
    instance_migrations_count: 2,
    standard_deviation_after_audit: 1,
  };
  const proposed = [migrate('a1', 'a', 'c'), migrate('b1', 'b', 'c'), disable('a'), disable('b')];
  const planned = run(proposed, { budget: 1, indicators });
  expect(planned.actions).toHaveLength(2);
  expect(planned.indicators).toMatchObject({
    compute_nodes_count: 3,
    released_compute_nodes_count: 1,
    instance_migrations_count: 1,
  });
  expect(planned.report.notes).toEqual([
    '1 migration is left to the next audit by the budget of 1',
    'the deviation after the audit is that of everything that the strategy proposed',
  ]);
});

it('reports that the objective is that of the whole proposal when the plan is smaller', () => {
  const note = 'the objective after the plan is that of everything that the strategy proposed';
  const searched = { objective: [{ level: 2, term: 'evenness', unit: '%', before: 2, after: 1, bound: 0 }] };
  const proposed = [migrate('a1', 'a', 'c'), migrate('b1', 'b', 'c')];

  expect(run(proposed, { budget: 1, searched }).report.notes).toContain(note);
  expect(run(proposed, { searched }).report.notes).not.toContain(note);
});

const exchange = [migrate('a1', 'a', 'b'), migrate('b1', 'b', 'a')];

it('counts migrations that only make way', () => {
  const planned = run(exchange, { indicators: { instance_migrations_count: 2 } });
  expect(planned.indicators).toEqual({ instance_migrations_count: 3 });
  expect(planned.report).toMatchObject({ blocked: [], notes: [] });
});

it('reports migrations without room, and why nothing is left', () => {
  const planned = run(exchange, { room: 3, indicators: { instance_migrations_count: 2 } });
  expect(planned.actions).toEqual([]);
  expect(planned.indicators).toEqual({ instance_migrations_count: 0 });
  expect(planned.report.blocked).toEqual([{ constraint: 'vcpu', count: 2, examples: ['a1', 'b1'] }]);
  expect(planned.report.emptyBecause).toMatch(/^a1 cannot go from a to b: b refuses it \(vcpu\)/);
});

it('parks no instance on a host that the strategy leaves alone', () => {
  const exchange = [migrate('a1', 'a', 'b'), migrate('b1', 'b', 'a')];
  expect(run(exchange, {}).actions).toHaveLength(3);
  expect(run(exchange, { leftAlone: ['c'] }).actions).toEqual([]);
});
