import { parentPort, workerData } from 'node:worker_threads';
import { type Problem, type SolveOptions, solve, type Team } from '#libs/optimizer';
import { Board, type BoardMemory } from './board.ts';
import { type Budget, usedPart } from './budget.ts';
import { MeetingPoint } from './meeting-point.ts';

/** Memory shared by threads that search together. */
export interface TeamMemory {
  host: Int32Array;
  meeting: Int32Array;
  /** Cost that each thread reached separately. */
  values: Float64Array;
}

/** See `SolveOptions`. */
export type Steering = Required<Pick<SolveOptions, 'blockedPrice' | 'pull'>>;

/** Task of a search thread. */
export interface SearchTask {
  problem: Problem;
  board: BoardMemory;
  seed: number;
  /** Parameters of the search, by thread. */
  steering: readonly Steering[];
  /** See `SolveOptions`. */
  runs: number;
  budget: Budget;
  /** Null when the thread searches alone. */
  team: TeamMemory | null;
  index: number;
}

/** Its message at the end. */
export interface SearchReport {
  value: number;
  evaluations: number;
}

/** Share of the budget in which threads with different prices of blocked room try them separately. */
const trialPart = 0.1;

/**
 * Number of stop checks between two readings of the clock. Reading it at each check costs 1 % (wall clock) to 4 %
 * (processor time) of the evaluations.
 */
const questionsPerReading = 16;

/** The searches of one thread, in sequence. */
class SearchThread {
  private readonly task: SearchTask;
  private readonly board: Board;
  private evaluations = 0;
  private least = Number.POSITIVE_INFINITY;
  private questions = 0;
  private used = 0;

  constructor(task: SearchTask) {
    this.task = task;
    this.board = new Board(task.board);
  }

  run(): SearchReport {
    const { team, steering, index } = this.task;
    const own = steering[index]!;
    if (team === null) this.search(own, 0, 1);
    else this.runInTeam(team, own);
    return { value: this.least, evaluations: this.evaluations };
  }

  private runInTeam({ host, meeting, values }: TeamMemory, own: Steering): void {
    const { steering, index } = this.task;
    const point = new MeetingPoint(meeting, values.length);
    const team: Team = { index, count: values.length, host, meet: () => point.meet() };
    if (steering.every(({ blockedPrice }) => blockedPrice === own.blockedPrice)) {
      this.search({ ...own, team }, 0, 1);
      return;
    }
    values[index] = this.search(own, 0, trialPart);
    team.meet();
    const best = values.indexOf(Math.min(...values));
    this.search({ ...steering[best]!, team }, trialPart, 1);
  }

  /** Searches from the start, within a share of the budget. Returns the cost that it reached. */
  private search(options: Pick<SolveOptions, 'team' | 'blockedPrice' | 'pull'>, begin: number, end: number): number {
    const { problem, seed, index, runs } = this.task;
    const before = this.evaluations;
    const { value } = solve(problem, {
      ...options,
      seed: seed + index,
      runs,
      progress: (done) => {
        this.evaluations = before + done;
        return (this.usedNow() - begin) / (end - begin);
      },
      onBest: (best) => {
        if (best.value >= this.least) return;
        this.least = best.value;
        this.board.publish(best.host);
      },
    });
    return value;
  }

  private usedNow(): number {
    const { budget } = this.task;
    if (budget.kind === 'work' || this.questions % questionsPerReading === 0)
      this.used = usedPart(budget, this.evaluations);
    this.questions += 1;
    return this.used;
  }
}

if (parentPort !== null) parentPort.postMessage(new SearchThread(workerData as SearchTask).run());
