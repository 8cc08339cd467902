import { expect, test } from 'vitest';
import { enPages } from '../texts/en/pages.ts';
import { addTexts, text } from '../texts/texts.ts';
import { scopeOf, scopeText, wholeCloud } from './scope.ts';

addTexts(enPages);

test('the whole cloud has no rules', () => {
  expect(scopeOf(wholeCloud)).toEqual([]);
});

test('zones, aggregates and exclusions become one set of rules for the compute model', () => {
  const form = {
    ...wholeCloud,
    zones: ['az1'],
    aggregates: ['7', 'ssd'],
    excludedNodes: ['c1'],
    excludedInstances: ['u'],
  };
  expect(scopeOf(form)).toEqual([
    {
      compute: [
        { availability_zones: [{ name: 'az1' }] },
        { host_aggregates: [{ id: 7 }, { name: 'ssd' }] },
        { exclude: [{ instances: [{ uuid: 'u' }] }, { compute_nodes: [{ name: 'c1' }] }] },
      ],
    },
  ]);
  expect(scopeText(scopeOf(form))).toBe('compute: zone az1, aggregate 7, ssd, without instance u, host c1');
  expect(scopeText([])).toBe(text('scope.everything'));
  expect(scopeText([{ storage: { odd: 1 } }])).toBe('storage: {"odd":1}');
});
