import { expect, test } from 'vitest';
import { type TableDefaults, type TableState, tableStateOf, withTableState } from './table-state.ts';

const defaults: TableDefaults = {
  name: '',
  titles: ['Weight', 'Long title', 'Age'],
  sort: { index: 2, direction: 'desc' },
  perPage: 20,
};
const standard: TableState = { search: '', sort: { index: 2, direction: 'desc' }, page: 1, perPage: 20 };

test('an empty or invalid URL gives the defaults, and defaults are not written', () => {
  expect(tableStateOf(new URLSearchParams(), defaults)).toEqual(standard);
  expect(tableStateOf(new URLSearchParams('sort=-unknown&page=-1&rows=7'), defaults)).toEqual(standard);
  expect(tableStateOf(new URLSearchParams('sort=&page=1.5&rows=all'), defaults)).toEqual(standard);
  expect(withTableState(new URLSearchParams('page=3&sort=weight'), defaults, standard).size).toBe(0);
});

test('written state is read again, and other parameters stay', () => {
  const state: TableState = { search: 'a b&c', sort: { index: 1, direction: 'desc' }, page: 3, perPage: 50 };
  const query = withTableState(new URLSearchParams('state=FAILED'), defaults, state);
  expect(query.toString()).toBe('state=FAILED&search=a+b%26c&sort=-long-title&page=3&rows=50');
  expect(tableStateOf(new URLSearchParams(query.toString()), defaults)).toEqual(state);
  const ascending: TableState = { ...standard, sort: { index: 2, direction: 'asc' } };
  expect(tableStateOf(withTableState(query, defaults, ascending), defaults)).toEqual(ascending);
});

test('tables of one page do not disturb each other', () => {
  const loops = { ...defaults, name: 'loops' };
  const query = withTableState(new URLSearchParams('page=2'), loops, { ...standard, page: 4 });
  expect(query.toString()).toBe('page=2&loops.page=4');
  expect(tableStateOf(query, defaults).page).toBe(2);
  expect(tableStateOf(query, loops).page).toBe(4);
});
