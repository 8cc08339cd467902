import { expect, test } from 'vitest';
import { createSavedViews, isViewName, longestQuery, maxViews, queryOfView } from './saved-views.ts';

function memory(initial: Record<string, string> = {}) {
  const items = new Map(Object.entries(initial));
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const failed = { name: 'Failed', query: 'sort=-created&state=FAILED' };

test('views are kept by user and page, in order of their names', () => {
  const storage = memory();
  const views = createSavedViews(() => storage, { user: 'mia', page: 'plans' });
  expect(views.keep([{ name: 'Open', query: 'state=OPEN' }, failed])).toBe(true);
  expect(views.list()).toEqual([failed, { name: 'Open', query: 'state=OPEN' }]);
  for (const owner of [
    { user: 'sam', page: 'plans' },
    { user: 'mia', page: 'audits' },
  ])
    expect(createSavedViews(() => storage, owner).list()).toEqual([]);
  views.keep([]);
  expect(storage.items.size).toBe(0);
});

test.each([
  ['not JSON', '{'],
  ['an object', '{"name": "a", "query": ""}'],
  ['null', 'null'],
  ['no views', '[1, null, "a", [], {}, {"name": 1, "query": ""}, {"name": "a"}, {"name": " ", "query": ""}]'],
  ['a long name', JSON.stringify([{ name: 'x'.repeat(61), query: '' }])],
  ['a long query', JSON.stringify([{ name: 'a', query: 'x'.repeat(longestQuery + 1) }])],
])('stored %s gives no view', (_, stored) => {
  const storage = memory({ 'vigil-views:mia:plans': stored });
  expect(createSavedViews(() => storage, { user: 'mia', page: 'plans' }).list()).toEqual([]);
});

test('the number of views is bounded, and names are unique', () => {
  const storage = memory();
  const views = createSavedViews(() => storage, { user: 'mia', page: 'plans' });
  views.keep([...Array.from({ length: maxViews + 5 }, (_, at) => ({ name: `v${at}`, query: '' })), failed, failed]);
  expect(views.list()).toHaveLength(maxViews);
});

test('a browser without room or without storage keeps none and shows none', () => {
  const refuse = () => {
    throw new Error('denied');
  };
  const full = createSavedViews(() => ({ ...memory(), setItem: refuse }), { user: 'mia', page: 'plans' });
  expect(full.keep([failed])).toBe(false);
  const denied = createSavedViews(refuse, { user: 'mia', page: 'plans' });
  expect([denied.list(), denied.keep([failed])]).toEqual([[], false]);
});

test('a view has filters and sorting, and neither the page of a table nor the chosen row', () => {
  expect(queryOfView('?state=FAILED&page=3&sort=-created&runs.page=2&action=abc&search=page')).toBe(
    'search=page&sort=-created&state=FAILED',
  );
});

test('a name is not empty, short, and not taken', () => {
  expect(['', '  ', 'x'.repeat(61), ' Failed ', 'Open'].map((name) => isViewName(name, [failed]))).toEqual([
    ...[false, false, false, false],
    true,
  ]);
});
