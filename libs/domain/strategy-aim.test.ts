import { expect, it } from 'vitest';
import { aimOf, mergesAims } from './strategy-aim.ts';

const preset = { type: 'string', default: 'tight', 'x-aims': { tight: 'pack', even: 'spread' } };

it.each([
  ['of the whole strategy', { 'x-aim': 'pack' }, {}, 'pack'],
  ['of the value of a parameter', { properties: { preset } }, { preset: 'even' }, 'spread'],
  ['of the default of a parameter', { properties: { preset } }, {}, 'pack'],
  [
    'of the strategy, for a value without one',
    { 'x-aim': 'spread', properties: { preset } },
    { preset: 'x' },
    'spread',
  ],
  ['that is not stated', { properties: { preset: { type: 'string' } } }, { preset: 'even' }, null],
  ['of an unknown word', { 'x-aim': 'sideways' }, {}, null],
] as const)('reads the aim %s', (_, schema, parameters, aim) => {
  expect(aimOf(schema, parameters)).toBe(aim);
});

it.each([
  [{ 'x-aim': 'pack', 'x-merges': true }, true],
  [{ 'x-aim': 'pack' }, false],
  [{ 'x-merges': 'yes' }, false],
])('reads from %o whether an aim can be merged', (schema, merges) => {
  expect(mergesAims(schema)).toBe(merges);
});
