import { describe, expect, it } from 'vitest';
import { actionFacts } from '#libs/domain';
import type { PlanLimits, PlannerPlugin, ProposedAction } from '#libs/plugin-kit';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { plannerCatalogue } from './catalogue.ts';

const hosts = [...'abcdefghij'];
const snapshot = createTestWorld({
  hosts: ['target', ...hosts].map((hostname) => ({ hostname, aggregates: ['rack'] })),
  aggregates: [{ name: 'rack' }],
});
const none: PlanLimits = { parallelPerSourceHost: 100, parallelPerDestinationHost: 100, parallelMigrations: 100 };
const weighting = { migrate: { ...actionFacts.migrate!.weighting, parallelization: 10 } };

function migrate(source: string, destination: string, index: number): ProposedAction {
  return {
    actionType: 'migrate',
    inputParameters: { source_node: source, destination_node: destination, resource_id: `i${index}` },
    reason: { rule: 'test', summary: 'test', values: [], rejected: [] },
  };
}

/** Actions of a plan with all that end before them. */
function planned(planner: PlannerPlugin, actions: ProposedAction[], limits: Partial<PlanLimits>) {
  let next = 0;
  const plan = planner.plan(actions, {
    snapshot,
    limits: { ...none, weighting, ...limits },
    newUuid: () => `uuid-${next++}`,
  });
  const before = new Map<string, Set<string>>();
  for (const { uuid, parents } of plan)
    before.set(uuid, new Set(parents.flatMap((parent) => [parent, ...(before.get(parent) ?? [])])));
  return { plan, before };
}

/** Most migrations at once: in each of as many chains every migration waits for the one before. */
function mostAtOnce(planner: PlannerPlugin, actions: ProposedAction[], limits: Partial<PlanLimits>): number {
  const { plan, before } = planned(planner, actions, limits);
  expect(plan).toHaveLength(actions.length);
  const chains: string[] = [];
  for (const { uuid } of plan) {
    const free = chains.findIndex((last) => before.get(uuid)?.has(last));
    chains[free < 0 ? chains.length : free] = uuid;
  }
  return chains.length;
}

/** Steps of a plan of which all migrations take as long. */
function steps(planner: PlannerPlugin, actions: ProposedAction[], limits: Partial<PlanLimits>): number {
  const { plan } = planned(planner, actions, limits);
  const ends = new Map<string, number>();
  for (const { uuid, parents } of plan)
    ends.set(uuid, 1 + Math.max(0, ...parents.map((parent) => ends.get(parent) ?? 0)));
  return Math.max(...ends.values());
}

const into = hosts.map((host, index) => migrate(host, 'target', index));
const outOf = hosts.map((host, index) => migrate('target', host, index));
const pairs = hosts.map((host, index) => migrate(host, hosts[(index + 1) % hosts.length]!, index));

describe.each(plannerCatalogue.map((planner) => [planner.name, planner] as const))('planner %s', (name, planner) => {
  it.each<[string, ProposedAction[], Partial<PlanLimits>, number]>([
    ['into a host', into, { parallelPerDestinationHost: 2 }, 2],
    ['out of a host', outOf, { parallelPerSourceHost: 2 }, name === 'node_resource_consolidation' ? 1 : 2],
    ['of the plan', pairs, { parallelMigrations: 3 }, 3],
    ['of an aggregate', pairs, { parallelPerAggregate: 4 }, 4],
    ['of a network', pairs, { parallelPerNetwork: 2, networks: [{ name: 'live', pattern: '*' }] }, 2],
  ])('keeps the limit %s', (_, actions, limits, most) => {
    expect(mostAtOnce(planner, actions, limits)).toBe(most);
  });

  it('uses the limit of the plan where hosts are emptied one after the other', () => {
    const emptied = ['a', 'b', 'c', 'd'].flatMap((host, source) =>
      [0, 1, 2, 3, 4, 5].map((index) => migrate(host, 'efghij'[index]!, 10 * source + index)),
    );
    // 24 migrations, two at once. The weight planner ends each chunk before the next one.
    expect(steps(planner, emptied, { parallelMigrations: 2 })).toBeLessThanOrEqual(name === 'weight' ? 15 : 13);
  });
});
