import { expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import type { AuditView } from '#libs/store';
import { pluginsOfPlan } from './merge-aims.ts';

function merged(parameters: JsonObject): JsonObject {
  const audit = { goalName: 'server_consolidation', strategyName: 'consolidation_optimizer', parameters } as AuditView;
  return pluginsOfPlan(audit, { strategyName: 'placement_optimizer' }).parameters;
}

it('keeps the time limit and the migration budget of the audit', () => {
  expect(merged({ time_limit: 2, migration_budget: 7, hot_limit: 90 })).toEqual({
    ...{ both_aims: true, terms: {} },
    ...{ time_limit: 2, migration_budget: 7 },
  });
});

it('has no time limit where the audit gives none', () => {
  expect(merged({})).toEqual({ both_aims: true, terms: {} });
});
