import { expect, it } from 'vitest';
import { aimOf } from './strategy-aim.ts';

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
