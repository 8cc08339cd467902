import { expect, test } from 'vitest';
import type { Role } from '../stack/members.ts';
import { standing } from './disturbances.ts';

const hourMs = 3_600_000;

/** Members of these roles. Those in `up` are ready. */
function membersOf(roles: readonly Role[], up: ReadonlySet<number>) {
  return roles.map((role, place) => ({ role, isUp: () => up.has(place) }));
}

test('a kill waits until one of each kind is ready', async () => {
  const up = new Set([0, 1]);
  const members = membersOf(['applier', 'api', 'applier', 'api', 'scheduler'], up);
  let stands = false;
  const waiting = standing(members, hourMs, new AbortController().signal).then(() => {
    stands = true;
  });
  up.delete(0);
  up.add(4);
  await new Promise((done) => setTimeout(done, 0));
  expect(stands).toBe(false);
  up.add(2);
  await waiting;
});

test('it does not wait forever, nor when the run is to end', async () => {
  const none = membersOf(['applier'], new Set());
  await standing(none, 0, new AbortController().signal);
  await standing(none, hourMs, AbortSignal.abort());
});
