import { expect, test } from 'vitest';
import { createNoticeList } from './notice-list.ts';

const titlesOf = (list: ReturnType<typeof createNoticeList>) => list.all().map(({ title }) => title);

test('failures close with their page or with the restored connection, and others stay', () => {
  const list = createNoticeList();
  list.add({ variant: 'danger', title: 'a', isOutage: true });
  list.add({ variant: 'danger', title: 'b' });
  list.add({ variant: 'success', title: 'c' });
  list.clear('outages');
  expect(titlesOf(list)).toEqual(['b', 'c']);
  list.clear('failures');
  expect(titlesOf(list)).toEqual(['c']);
  list.close(list.all()[0]?.id ?? -1);
  expect(titlesOf(list)).toEqual([]);
});

test('the newest five notices stay, each with its own id', () => {
  const list = createNoticeList();
  for (const title of 'abcdefg') list.add({ variant: 'info', title });
  expect(titlesOf(list)).toEqual([...'cdefg']);
  expect(new Set(list.all().map(({ id }) => id)).size).toBe(5);
});

test('a change without effect causes no render', () => {
  const list = createNoticeList();
  list.add({ variant: 'success', title: 'a' });
  const before = list.all();
  let changes = 0;
  const leave = list.subscribe(() => changes++);
  list.clear('failures');
  list.clear('outages');
  list.close(99);
  expect([changes, list.all() === before]).toEqual([0, true]);
  list.add({ variant: 'danger', title: 'b' });
  list.clear('failures');
  leave();
  list.close(1);
  expect(changes).toBe(2);
});
