import { expect, it } from 'vitest';
import { createSearchBoard } from './search-board.ts';

it('reports the best of all starts, and the work of all', () => {
  const board = createSearchBoard();
  const line = board.begin('a');
  expect(board.status('a')).toMatchObject({ value: null, work: 0, isFinishing: false });
  line.onProgress({ best: { value: 40, bound: 10, moves: 5 }, work: 100, budget: 1000 }, 0);
  line.onProgress({ best: { value: 30, bound: 10, moves: 7 }, work: 50, budget: 1000 }, 1);
  line.onProgress({ best: { value: 35, bound: 10, moves: 6 }, work: 200, budget: 1000 }, 0);
  expect(board.status('a')).toEqual({
    isFinishing: false,
    value: 30,
    bound: 10,
    moves: 7,
    work: 250,
    budget: 2000,
    starts: 2,
  });
});

it('passes on requests for the best so far, and forgets ended searches', () => {
  const board = createSearchBoard();
  expect([board.finish('a'), board.finishAll()]).toEqual([null, false]);
  const line = board.begin('a');
  expect(board.finishAll()).toBe(false);
  expect(line.finish.aborted).toBe(false);
  expect(board.finish('a')).toMatchObject({ isFinishing: true });
  expect(line.finish.aborted).toBe(true);
  line.end();
  expect(board.status('a')).toBeNull();
});

it('requests the results of searches when the process stops', () => {
  const board = createSearchBoard();
  const [one, other] = [board.begin('a'), board.begin('b')];
  one.onProgress({ best: { value: 1 }, work: 1, budget: 2 }, 0);
  expect(board.finishAll()).toBe(true);
  expect([one.finish.aborted, other.finish.aborted]).toEqual([true, false]);
});
