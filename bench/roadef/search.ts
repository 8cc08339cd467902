import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Problem } from '#libs/optimizer';
import { Board, boardMemory } from './board.ts';
import type { SearchReport, SearchTask } from './search-worker.ts';

/** A search of several threads. */
export interface SearchLimits {
  threads: number;
  seed: number;
  /** Begin and end, milliseconds since 1970. */
  beginMs: number;
  endMs: number;
}

/** Every other thread pays for room that leavers block, most first. */
const blockedPrices = [0, 0.3, 0.08];
/** A thread that does not answer so long after the end is left; what it published counts. */
const graceMs = 300;

/** Benches run compiled. */
const workerFile = fileURLToPath(new URL('./search-worker.js', import.meta.url));

/** The placements that the threads found, in no order, and how much they looked at. */
export async function searchInThreads(problem: Problem, limits: SearchLimits) {
  const threads = Array.from({ length: limits.threads }, (_, index) => startThread(problem, limits, index));
  const reports = await Promise.all(threads.map(({ report }) => report));
  return {
    placements: threads.map(({ board }) => board.read()).filter((placement) => placement !== null),
    evaluations: reports.reduce((sum, report) => sum + (report?.evaluations ?? 0), 0),
    unfinished: reports.filter((report) => report === null).length,
  };
}

function startThread(problem: Problem, { seed, beginMs, endMs }: SearchLimits, index: number) {
  const memory = boardMemory(problem.items);
  const blockedPrice = problem.transientColumns === 0 ? 0 : (blockedPrices[index % blockedPrices.length] as number);
  const task: SearchTask = { problem, board: memory, seed: seed + index, blockedPrice, beginMs, endMs };
  const worker = new Worker(workerFile, { workerData: task });
  const report = new Promise<SearchReport | null>((resolve) => {
    const late = setTimeout(() => resolve(null), endMs + graceMs - (performance.timeOrigin + performance.now()));
    const end = (answer: SearchReport | null) => {
      clearTimeout(late);
      resolve(answer);
    };
    worker.once('message', end);
    worker.once('error', (error) => {
      process.stderr.write(`a search thread failed: ${String(error)}\n`);
      end(null);
    });
  });
  void report.finally(() => worker.terminate());
  return { report, board: new Board(memory) };
}
