import { parentPort, workerData } from 'node:worker_threads';
import { type Problem, solve } from '#libs/optimizer';
import { Board, type BoardMemory } from './board.ts';

/** What a search thread is given. */
export interface SearchTask {
  problem: Problem;
  board: BoardMemory;
  seed: number;
  blockedPrice: number;
  /** Begin and end of the search, milliseconds since 1970. */
  beginMs: number;
  endMs: number;
}

/** What it answers at its end. */
export interface SearchReport {
  value: number;
  evaluations: number;
  cpuSeconds: number;
}

function search({ problem, board: memory, seed, blockedPrice, beginMs, endMs }: SearchTask): SearchReport {
  const board = new Board(memory);
  let evaluations = 0;
  const best = solve(problem, {
    seed,
    blockedPrice,
    progress: (done) => {
      evaluations = done;
      return (performance.timeOrigin + performance.now() - beginMs) / (endMs - beginMs);
    },
    onBest: ({ host }) => board.publish(host),
  });
  const { user, system } = process.cpuUsage();
  return { value: best.value, evaluations, cpuSeconds: (user + system) / 1e6 };
}

parentPort?.postMessage(search(workerData as SearchTask));
