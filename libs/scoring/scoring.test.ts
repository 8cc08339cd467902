import { describe, expect, it } from 'vitest';
import { InvalidInputError, NotFoundError } from '#libs/domain';
import { createPluginRegistry, createScoringReader, scoringEnginesOf } from '#libs/plugin-kit';
import { scoringCatalogue } from './catalogue.ts';

const origin = { label: 'vigil', moduleUrl: '#libs/scoring', exportName: 'scoringCatalogue' };
const reader = createScoringReader(async () => scoringEnginesOf(scoringCatalogue));
const mib = 1024 ** 2;

describe('built-in scoring engines', () => {
  it('are registered with those of the container, from one module', () => {
    const registry = createPluginRegistry();
    registry.add(scoringCatalogue, origin);

    expect(registry.scoringEngines().map(({ name }) => name)).toEqual([
      'dummy_scorer',
      'dummy_min_scorer',
      'dummy_max_scorer',
      'dummy_avg_scorer',
    ]);
    expect(registry.scoringSources()).toEqual([{ moduleUrl: '#libs/scoring', exportName: 'scoringCatalogue' }]);
  });

  it.each([
    ['busy CPU', [80, 8, 4, 2000, 2000, 0, 0, 0, 0], [1, 0, 100, 0, 0]],
    ['paging both ways', [79, 8, 4, 1000, 1000, 0, 0, 0, 0], [2, 0, 0, 100, 0]],
    ['paging one way', [10, 8, 4, 2000, 0, 0, 0, 0, 0], [0, 100, 0, 50, 0]],
    ['disk both ways', [10, 8, 4, 0, 0, 50 * mib, 50 * mib, 0, 0], [3, 0, 0, 0, 100]],
    ['disk one way', [10, 8, 4, 0, 0, 200 * mib, 0, 0, 0], [0, 100, 0, 0, 0]],
    ['nearly idle', [39, 8, 4, 499, 499, 0, 0, 0, 0], [0, 100, 0, 0, 0]],
    ['a little paging', [39, 8, 4, 0, 500, 0, 0, 0, 0], [0, 100, 0, 50, 0]],
    ['some CPU', [40, 8, 4, 0, 0, 0, 0, 0, 0], [0, 100, 50, 0, 0]],
  ])('dummy_scorer: %s', async (_, features, expected) => {
    expect(JSON.parse(await reader.calculateScore('dummy_scorer', JSON.stringify(features)))).toEqual(expected);
  });

  it('dummy_scorer describes its columns', async () => {
    const { metainfo } = await reader.describe('dummy_scorer');
    const { feature_columns, result_columns, workloads } = JSON.parse(metainfo);
    expect([feature_columns.length, result_columns.length, workloads.length]).toEqual([9, 5, 4]);
  });

  it.each([
    ['dummy_min_scorer', '[1]'],
    ['dummy_max_scorer', '[9]'],
    ['dummy_avg_scorer', '[4.5]'],
  ])('%s', async (name, expected) => {
    expect(await reader.calculateScore(name, '[9, 1, 3, 5]')).toBe(expected);
  });

  it.each([
    ['dummy_scorer', '[1, 2]'],
    ['dummy_scorer', 'nine'],
    ['dummy_avg_scorer', '[]'],
    ['dummy_avg_scorer', '["1"]'],
    ['dummy_avg_scorer', '{}'],
  ])('%s refuses %s', async (name, features) => {
    await expect(reader.calculateScore(name, features)).rejects.toThrow(InvalidInputError);
  });

  it('does not know other engines', async () => {
    await expect(reader.calculateScore('oracle', '[1]')).rejects.toThrow(NotFoundError);
  });
});

describe('scoring plugins from outside', () => {
  const outside = { label: 'vendor', moduleUrl: 'file:///vendor/scoring.js', exportName: 'default' };
  const engine = (name: string) => ({
    kind: 'scoring_engine',
    name,
    description: 'd',
    metainfo: '',
    calculateScore: () => '',
  });
  const container = (engines: () => unknown) => ({ kind: 'scoring_container', name: 'box', description: 'd', engines });

  it.each([
    ['a name that is taken', [engine('a'), engine('a')], /scoring_engine a of .* has the same name/],
    ['a container that fails', [container(() => [].at(0)!)], /engines\(\) must return an array/],
    [
      'a container that throws',
      [
        container(() => {
          throw new Error('no models');
        }),
      ],
      /scoring container box: engines\(\) failed: no models/,
    ],
    ['another kind in a container', [container(() => [{ kind: 'goal', name: 'x' }])], /scoring engines only/],
    ['an engine without a function', [{ ...engine('a'), calculateScore: 1 }], /calculateScore must be a function/],
  ])('are refused with %s', (_, plugins, reason) => {
    expect(() => createPluginRegistry().add(plugins, outside)).toThrow(reason);
  });
});
