import { expect, it } from 'vitest';
import type { MetricUse } from '#libs/domain';
import { impossibleNotes } from './report-notes.ts';

const use: MetricUse = {
  metric: 'host_cpu_usage',
  resourceType: 'compute_node',
  aggregate: 'mean',
  periodSeconds: 300,
  asked: 10,
  missing: 1,
  missingExamples: ['cmp1'],
  source: 'gnocchi',
};
const impossible = { resources: 1, greatest: 5e6, examples: ['cmp1'] };

it('notes impossible values once for each metric and source', () => {
  const worse = { resources: 2, greatest: 6e6, examples: ['cmp1', 'cmp2'] };
  const uses = [use, { ...use, impossible }, { ...use, aggregate: 'p95', impossible: worse }];

  expect(impossibleNotes(uses)).toEqual([
    'host_cpu_usage has impossible values in gnocchi, which count as missing: of 2 resources (such as cmp1, cmp2), ' +
      'up to 6000000 %, above 110 %',
  ]);
});

it('notes nothing where all values are possible', () => {
  expect(impossibleNotes([use])).toEqual([]);
});
