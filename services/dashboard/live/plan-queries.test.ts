import { expect, test } from 'vitest';
import type { LiveKinds } from './live-entities.ts';
import { newestActions } from './plan-queries.ts';

const action = (uuid: string, state: string, updated_at: string | null) =>
  ({ uuid, state, updated_at }) as LiveKinds['action'];
const statesOf = (actions: readonly LiveKinds['action'][]) => actions.map(({ state }) => state);
const read = [action('a', 'PENDING', null), action('b', 'PENDING', null), action('c', 'SUCCEEDED', '2026-01-03')];

test('an action has the state of the stream, unless a later read has a newer one', () => {
  const live = [
    action('a', 'ONGOING', '2026-01-01'),
    action('c', 'ONGOING', '2026-01-01'),
    action('x', 'FAILED', null),
  ];
  expect(statesOf(newestActions(read, [], live))).toEqual(['ONGOING', 'PENDING', 'SUCCEEDED']);
});

test('an action keeps the state that the page has shown after the stream has dropped it', () => {
  const shown = newestActions(read, [], [action('a', 'SUCCEEDED', '2026-01-02')]);
  expect(statesOf(newestActions(read, shown, []))).toEqual(['SUCCEEDED', 'PENDING', 'SUCCEEDED']);
  const rerun = [action('a', 'ONGOING', '2026-01-04')];
  expect(statesOf(newestActions(read, shown, rerun))).toEqual(['ONGOING', 'PENDING', 'SUCCEEDED']);
});
