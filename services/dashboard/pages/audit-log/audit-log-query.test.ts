import { expect, test } from 'vitest';
import { filtersOf, hasFilters, pathOf, targetPath } from './audit-log-query.ts';

const uuid = '2cc4deb0-68b6-432f-a1b4-4fd6d850b58d';

test('the request takes the filters of the URL, with times as instants and without invalid times', () => {
  const filters = filtersOf(new URLSearchParams({ user: ' ann ', from: '2026-11-21T05:00Z', to: 'soon', other: 'x' }));
  expect(pathOf(filters, uuid)).toBe(`audit-log?limit=50&user=ann&from=2026-11-21T05%3A00%3A00.000Z&marker=${uuid}`);
  expect(hasFilters(filters)).toBe(true);
  expect(hasFilters(filtersOf(new URLSearchParams()))).toBe(false);
});

test('only targets with a page are linked', () => {
  expect(targetPath({ target: uuid, target_kind: 'action_plan' })).toBe(`/plans/${uuid}`);
  expect(targetPath({ target: 'by-name', target_kind: 'audit' })).toBeNull();
  expect(targetPath({ target: uuid, target_kind: 'task' })).toBeNull();
});
