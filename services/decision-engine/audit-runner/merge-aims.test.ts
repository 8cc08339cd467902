import { expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { createTestWorld } from '#libs/plugin-kit/testing';
import type { AuditView } from '#libs/store';
import { builtInPlugins } from '../built-in-plugins.ts';
import { mergeAims, pluginsOfPlan } from './merge-aims.ts';
import { mergedParameters } from './merged-parameters.ts';

const registry = builtInPlugins();
const goals: Record<string, string> = {
  basic: 'server_consolidation',
  consolidation_optimizer: 'server_consolidation',
};

function auditOf(strategyName: string, parameters: JsonObject, label = 'this audit') {
  return { label, goalName: goals[strategyName] ?? 'workload_balancing', strategyName, parameters };
}

function mergeOf(own: JsonObject, other: JsonObject, otherStrategy = 'balance_optimizer') {
  const older = auditOf(otherStrategy, other, 'audit wide');
  return mergedParameters([auditOf('consolidation_optimizer', own), older], registry);
}

it('keeps every parameter of one audit that the merged search has', () => {
  const given = {
    ...{ max_moves: 30, migration_budget: 7, max_minutes: 20, choose: 'knee', effort: 'few_moves', min_gain: 5 },
    ...{ hot_limit: 90, reserve_hosts: 2, time_limit: 2, terms: { near_limit: 'high', contention: 'off' } },
    ...{ period: 1800, aggregation_method: 'p99', minimum_coverage: 50 },
  };
  const expected = { parameters: { both_aims: true, ...given }, notes: [] };
  expect(mergedParameters([auditOf('balance_optimizer', given)], registry)).toEqual(expected);
  expect(mergeOf({}, given)).toEqual(expected);
});

it('uses the strictest of two values', () => {
  expect(
    mergeOf(
      { max_moves: 0, migration_budget: 9, hot_limit: 70, reserve_hosts: 1, time_limit: 5, choose: 'budget' },
      {
        max_moves: 40,
        migration_budget: 4,
        hot_limit: { memory: 85 },
        reserve_hosts: 3,
        time_limit: 8,
        choose: 'knee',
      },
    ),
  ).toEqual({
    parameters: {
      ...{ both_aims: true, max_moves: 40, migration_budget: 4, hot_limit: { cpu: 70, memory: 85 } },
      ...{ reserve_hosts: 3, time_limit: 5, choose: 'knee' },
    },
    notes: [],
  });
});

it('uses the window of the audit that runs, and reports that of the other audit', () => {
  const { parameters, notes } = mergeOf({ period: 600 }, { period: 7200 });
  expect(parameters.period).toBe(600);
  expect(notes).toEqual(['the plan with both aims does not use period of audit wide']);
});

it('reports the parameters that the merged search does not have, except defaults', () => {
  const { parameters, notes } = mergeOf(
    { target_utilization: { vcpus: 60 }, empty_disabled: true },
    { threshold: 40, period: 300, metrics: 'instance_ram_usage' },
    'workload_balance',
  );
  expect(parameters).toEqual({ both_aims: true });
  expect(notes).toEqual([
    'the plan with both aims does not use target_utilization, empty_disabled of this audit',
    'the plan with both aims does not use threshold, metrics of audit wide',
  ]);
});

it('takes failure_reserve of a strategy with rules for its reserve_hosts, which are other hosts there', () => {
  const { parameters, notes } = mergeOf({}, { failure_reserve: 2, reserve_hosts: 5 }, 'basic');
  expect(parameters).toEqual({ both_aims: true, reserve_hosts: 2 });
  expect(notes).toEqual(['the plan with both aims does not use reserve_hosts of audit wide']);
});

it('reports that the preset even is not used, and no preset that is the aim', () => {
  expect(mergeOf({}, { preset: 'even' }).notes).toEqual(['the plan with both aims does not use preset of audit wide']);
  expect(mergeOf({}, { preset: 'consolidate' }, 'placement_optimizer').notes).toEqual([]);
});

it('merges the parameters of older audits with common hosts into a run', async () => {
  const hosts = ['a', 'b'].map((hostname) => ({ hostname, aggregates: [hostname] }));
  const scope = (name: string) => [{ compute: [{ host_aggregates: [{ name }] }] }];
  const older = (name: string, hot: number) => ({
    ...{ id: 1, uuid: name, name, scope: scope(name), aim: 'spread' as const, against: null },
    ...auditOf('balance_optimizer', { hot_limit: hot, preset: 'even' }),
  });
  const audit = { ...auditOf('consolidation_optimizer', {}), scope: scope('a') };
  const opposites = { id: 2, audits: [older('a', 70), older('b', 60)] };
  const deps = { registry, options: { oppositeAudits: 'merge' } } as unknown as Parameters<typeof mergeAims>[1];
  const { task, notes } = await mergeAims({ ...audit, opposites }, deps, createTestWorld({ hosts }));
  expect(task).toMatchObject({ strategyName: 'placement_optimizer', parameters: { both_aims: true, hot_limit: 70 } });
  expect(notes).toEqual(['the plan with both aims does not use preset of audit a']);
});

it('evaluates a plan of merged aims with the parameters of its audit', () => {
  const audit = auditOf('consolidation_optimizer', { hot_limit: 90 }) as unknown as AuditView;
  const { parameters } = pluginsOfPlan(audit, { strategyName: 'placement_optimizer' }, registry);
  expect(parameters).toEqual({ both_aims: true, hot_limit: 90 });
  expect(pluginsOfPlan(audit, { strategyName: 'consolidation_optimizer' }, registry).parameters).toEqual({
    hot_limit: 90,
  });
});
