import type { IdSource, JsonObject } from '#libs/domain';
import type { RecoveryJob, ServiceEvent, UnitOfWork } from '#libs/store';

/** The context of one step of a job. All of it is one transaction, together with the next phase and the decision. */
export interface StepContext {
  unit: UnitOfWork;
  job: RecoveryJob;
  newUuid: IdSource;
}

/** The result of a step. `wait`: the same step again at the next pass. */
export type StepResult =
  | { kind: 'next'; phase: string; data?: JsonObject }
  | { kind: 'wait'; data?: JsonObject }
  | { kind: 'done'; outcome: string; detail: string };

export type Step = (context: StepContext) => Promise<StepResult>;

/**
 * A row of the coordinator's table. Steps decide by the current rows of the database, not by the content of an event,
 * so events may arrive twice and in any order.
 */
export interface RecoveryRule {
  /** `R1` to `R10`. */
  name: string;
  what: string;
  /** Time limit in milliseconds. After it the job ends as TIMED_OUT in every phase. */
  timeLimitMs: number;
  /** Subject of the job that an event opens. Null when the rule has nothing to do with it. */
  opensFor(event: ServiceEvent): JsonObject | null;
  firstPhase: string;
  phases: Readonly<Record<string, Step>>;
}

/** The end of a job. */
export function done(outcome: string, detail: string): StepResult {
  return { kind: 'done', outcome, detail };
}
