import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { canShare, type Problem, sharedFloats, sharedInts } from '#libs/optimizer';
import { Board, boardMemory } from './board.ts';
import { type Budget, nowMs } from './budget.ts';
import { meetingMemory } from './meeting-point.ts';
import type { SearchReport, SearchTask, Steering, TeamMemory } from './search-worker.ts';

/** A search of several threads. */
export interface SearchLimits {
  threads: number;
  seed: number;
  budget: Budget;
}

/**
 * With more items than this, threads search together. With fewer, each searches alone, because single runs differ
 * widely.
 */
const manyItems = 2500;
/** Prices of the room that leaving items block, by thread. */
const blockedPrices = [0, 0.3, 0.08];
/**
 * Up to this number of columns nearly all load fits, and moves remain the cost. From 12 columns on it is room
 * (measured with 3, 6 and 12).
 */
const fewColumns = 8;
const pullOfFewColumns = 2;
/**
 * Runs from the start, by thread: one long run, or several of which the best continues. Neither is always better.
 */
const runs = [1, 6];
/** A thread that does not respond within this time after the end is abandoned. Its published placement counts. */
const graceMs = 300;

/** Benches run as compiled code. */
const workerFile = fileURLToPath(new URL('./search-worker.js', import.meta.url));

/** Placements that the threads found, in no order, and the number of their evaluations. */
export async function searchInThreads(problem: Problem, limits: SearchLimits) {
  const team = teamMemory(problem, limits.threads);
  const threads = Array.from({ length: limits.threads }, (_, index) => startThread(problem, limits, team, index));
  const reports = await Promise.all(threads.map(({ report }) => report));
  return {
    placements: threads.map(({ board }) => board.read()).filter((placement) => placement !== null),
    evaluations: reports.reduce((sum, report) => sum + (report?.evaluations ?? 0), 0),
    unfinished: reports.filter((report) => report === null).length,
  };
}

function teamMemory(problem: Problem, threads: number): TeamMemory | null {
  if (threads === 1 || problem.items <= manyItems || !canShare(problem, threads)) return null;
  const host = sharedInts(problem.items);
  host.set(problem.home);
  return { host, meeting: meetingMemory(), values: sharedFloats(threads) };
}

function steeringOf({ columns, transientColumns }: Problem, threads: number): Steering[] {
  return Array.from({ length: threads }, (_, index) => ({
    blockedPrice: transientColumns === 0 ? 0 : blockedPrices[index % blockedPrices.length]!,
    pull: columns <= fewColumns ? pullOfFewColumns : 0,
  }));
}

function startThread(
  problem: Problem,
  { threads, seed, budget }: SearchLimits,
  team: TeamMemory | null,
  index: number,
) {
  const memory = boardMemory(problem.items);
  const task: SearchTask = {
    problem,
    board: memory,
    seed,
    steering: steeringOf(problem, threads),
    runs: runs[index % runs.length]!,
    budget,
    team,
    index,
  };
  const worker = new Worker(workerFile, { workerData: task });
  const report = new Promise<SearchReport | null>((resolve) => {
    const late =
      budget.kind === 'clock' ? setTimeout(() => resolve(null), budget.endMs + graceMs - nowMs()) : undefined;
    const end = (report: SearchReport | null) => {
      clearTimeout(late);
      resolve(report);
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
