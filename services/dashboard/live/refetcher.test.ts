import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { createRefetcher } from './refetcher.ts';

const queryKey = ['internal', 'lists/audits'];
const queries = new QueryClient();
let leave: () => void = () => undefined;
afterEach(() => {
  leave();
  queries.clear();
});

/** A query on a page whose responses the test releases. Each has the state at the time of its request. */
function show() {
  let stored = 'before';
  const responses: (() => void)[] = [];
  const queryFn = () => {
    const seen = stored;
    return new Promise<string>((resolve) => responses.push(() => resolve(seen)));
  };
  leave = new QueryObserver(queries, { queryKey, queryFn, retry: false }).subscribe(() => undefined);
  return {
    requests: () => responses.length,
    shown: () => queries.getQueryData(queryKey),
    change: (value: string) => {
      stored = value;
    },
    respond: (number: number) => responses[number]?.(),
  };
}

test('a change after the start of a read is read again, once for all parts of a page', async () => {
  const page = show();
  const parts = [createRefetcher(queries, queryKey), createRefetcher(queries, queryKey)];
  expect(page.requests()).toBe(1);
  page.change('after');
  for (const part of parts) part.changed();
  const reads = Promise.all(parts.map((part) => part.read()));
  page.respond(0);
  await expect.poll(page.requests).toBe(2);
  page.respond(1);
  await reads;
  expect(page.shown()).toBe('after');
  expect(page.requests()).toBe(2);
});

test('one read that started after the change is enough', async () => {
  const page = show();
  page.respond(0);
  await expect.poll(page.shown).toBe('before');
  const [first, second] = [createRefetcher(queries, queryKey), createRefetcher(queries, queryKey)];
  page.change('after');
  for (const part of [first, second]) part.changed();
  const reads = [first.read(), second.read()];
  page.respond(1);
  await Promise.all(reads);
  expect(page.shown()).toBe('after');
  expect(page.requests()).toBe(2);
});

test('a read that includes all changes is not repeated, also when its response comes after the changes', async () => {
  const page = show();
  let isCurrent = false;
  const part = createRefetcher(queries, queryKey, () => isCurrent);
  part.changed();
  const read = part.read();
  isCurrent = true;
  page.respond(0);
  await read;
  part.changed();
  await part.read();
  expect(page.requests()).toBe(1);
  isCurrent = false;
  const next = part.read();
  page.respond(1);
  await next;
  expect(page.requests()).toBe(2);
});
