import { expect, test } from 'vitest';
import type { Move } from '../../api/find-types.ts';
import { lastMove } from './last-move.ts';

const move = (state: string, from: string, to: string | null) => ({ state, from, to }) as Move;

test.each<[string, Move[], string, string]>([
  ['the last move that succeeded counts', [move('FAILED', 'b', 'c'), move('SUCCEEDED', 'a', 'b')], 'b', 'still'],
  ['somebody else moved it on', [move('SUCCEEDED', 'a', 'b')], 'c', 'moved on'],
  ['Nova chose', [move('SUCCEEDED', 'a', null)], 'd', 'by Nova'],
  ['it is back where Nova took it from', [move('SUCCEEDED', 'a', null)], 'a', 'moved on'],
  ['nothing came to its end', [move('FAILED', 'a', 'b')], 'a', 'never'],
])('%s', (_what, moves, hostname, since) => {
  expect(lastMove(moves, hostname).since).toBe(since);
});
