// @needs build
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

/** Runs in a separate process, so that this one keeps its clock. */
function inShiftedProcess(expression: string): unknown {
  const file = pathToFileURL('dist/verify/stack/preload.js').href;
  const args = [`--import=${file}`, '-p', `JSON.stringify(${expression})`];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', env: { CHAOS_CLOCK_OFFSET_MS: '600000' } }),
  );
}

test('all readers of the time get the wrong clock, and dates stay dates', () => {
  const before = Date.now();
  const [now, made, text, past, isDate] = inShiftedProcess(
    '[Date.now(), new Date().getTime(), Date.parse(Date()), new Date(5).getTime(), new Date() instanceof Date]',
  ) as number[];
  for (const time of [now, made, text]) expect(time).toBeGreaterThan(before + 590_000);
  expect([past, isDate]).toEqual([5, true]);
});
