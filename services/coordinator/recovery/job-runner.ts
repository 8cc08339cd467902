import type { IdSource, Logger } from '#libs/domain';
import type { RecoveryJob, UnitOfWork } from '#libs/store';
import { done, type RecoveryRule, type StepResult } from './recovery-rule.ts';

/** Named moments at which a test may end the coordinator. */
export type RacePoint = (name: string) => Promise<void> | void;

export interface JobRunnerDeps {
  rules: readonly RecoveryRule[];
  newUuid: IdSource;
  logger: Logger;
  /** Called with each decision after its commit. */
  onDecision?(rule: string, outcome: string): void;
  racePoint: RacePoint;
  /** Runs `work` in a transaction that holds the leader's lease. */
  lead<T>(fence: number, work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
}

/** Phases of one job in a pass, so that no job keeps the others waiting. */
const phasesPerPass = 10;

/** Makes the function that takes an open job from phase to phase, each in one transaction of the leader. */
export function createJobRunner({ rules, newUuid, logger, onDecision, racePoint, lead }: JobRunnerDeps) {
  const ruleOf = new Map(rules.map((rule) => [rule.name, rule]));

  async function runJob(jobKey: string, fence: number): Promise<void> {
    for (let count = 0; count < phasesPerPass; count += 1) {
      await racePoint('before-step');
      const result = await lead(fence, async (unit) => {
        const job = await unit.recovery.takeJob(jobKey);
        if (job === null) return null;
        const outcome = await takeStep(unit, job);
        await racePoint('mid-step');
        await keep(unit, job, outcome, fence);
        await racePoint('in-step');
        return { job, outcome };
      });
      await racePoint('after-step');
      if (result?.outcome.kind === 'done') {
        const { job, outcome } = result;
        logger.info(
          { rule: job.rule, job: jobKey, outcome: outcome.outcome, detail: outcome.detail },
          'recovery decision',
        );
        onDecision?.(job.rule, outcome.outcome);
      }
      if (result?.outcome.kind !== 'next') return;
    }
  }

  async function takeStep(unit: UnitOfWork, job: RecoveryJob): Promise<StepResult> {
    const step = ruleOf.get(job.rule)?.phases[job.phase];
    // A coordinator of another version may have opened it. A coordinator that knows the rule continues it until its
    // time limit.
    const result: StepResult = step ? await step({ unit, job, newUuid }) : { kind: 'wait' };
    // A slow machine may reach a step after the limit. Work that is done then has not timed out.
    return result.kind === 'wait' && job.isLate ? done('TIMED_OUT', `in phase ${job.phase}`) : result;
  }

  async function keep(unit: UnitOfWork, job: RecoveryJob, result: StepResult, fence: number): Promise<void> {
    const { jobKey, rule } = job;
    if (result.kind === 'done') {
      await unit.recovery.decide({
        rule,
        jobKey,
        inputs: { ...job.subject, ...job.data },
        outcome: result.outcome,
        detail: result.detail,
        durationMs: job.ageMs,
        fence,
      });
      await unit.recovery.endJob(jobKey, result.outcome);
    } else if (result.kind === 'next') {
      await unit.recovery.advance(jobKey, result.phase, { ...job.data, ...result.data });
    } else if (result.data) {
      await unit.recovery.advance(jobKey, job.phase, result.data);
    }
  }

  return runJob;
}
