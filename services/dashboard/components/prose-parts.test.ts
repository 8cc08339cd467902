import { expect, test } from 'vitest';
import { plainProse, proseParts } from './prose-parts.ts';
import { fullTime } from './time.tsx';

const uuid = '47733725-e51f-4836-9aab-83a1ee77390f';

test('ids and names of the API are taken out of a text, and nothing is lost', () => {
  const text = `migrate ${uuid}: outlet_temperature found no host_outlet_temp in a/b_c`;
  const parts = proseParts(text);
  expect(parts.map(({ text: part }) => part).join('')).toBe(text);
  expect(parts.filter(({ kind }) => kind === 'uuid').map(({ text: part }) => part)).toEqual([uuid]);
  expect(parts.filter(({ kind }) => kind === 'name').map(({ text: part }) => part)).toEqual([
    'outlet_temperature',
    'host_outlet_temp',
  ]);
});

test('names in backticks are taken out of a text, without the backticks', () => {
  expect(proseParts('Default: `VIGIL_FAILURE_RESERVE`, or `auto`')).toEqual([
    { kind: 'text', text: 'Default: ' },
    { kind: 'name', text: 'VIGIL_FAILURE_RESERVE' },
    { kind: 'text', text: ', or ' },
    { kind: 'name', text: 'auto' },
  ]);
});

test('as plain text, ids are short and names keep their underscores', () => {
  expect(plainProse(`migrate ${uuid} of rack_2_node_07`)).toBe('migrate 47733725 of rack_2_node_07');
  expect(plainProse('nothing special')).toBe('nothing special');
});

test('times are taken out of a text, and readable as plain text', () => {
  const at = '2026-11-29T22:00:00.000Z';
  const prose = `Waiting for the maintenance window, which opens at ${at}`;
  expect(proseParts(prose).at(-1)).toEqual({ kind: 'time', text: at });
  expect(plainProse(prose)).toBe(`Waiting for the maintenance window, which opens at ${fullTime(at)}`);
  expect(proseParts('2026-11-29T22:00+02:00 or 2026-11-29').map(({ kind }) => kind)).toEqual(['time', 'text']);
});
