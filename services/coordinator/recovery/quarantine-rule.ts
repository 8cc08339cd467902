import { type JsonObject, StateConflictError } from '#libs/domain';
import type { UnitOfWork } from '#libs/store';
import { done, type RecoveryRule, type StepContext, type StepResult } from './recovery-rule.ts';

/** Uncaught exceptions during one piece of work after which it is not tried again. */
const mostCrashes = 3;
const longestMessage = 255;

interface Suspect {
  kind: string;
  uuid: string;
}

async function count({ unit, job }: StepContext): Promise<StepResult> {
  const guilty: JsonObject[] = [];
  for (const work of job.subject.work as unknown as Suspect[]) {
    const crashes = await unit.recovery.noteCrash(work, Number(job.subject.eventId));
    if (crashes >= mostCrashes) guilty.push({ kind: work.kind, uuid: work.uuid, crashes });
  }
  if (guilty.length === 0) return done('COUNTED', `fewer than ${mostCrashes} crashes of each`);
  return { kind: 'next', phase: 'quarantine', data: { guilty } };
}

async function quarantine({ unit, job }: StepContext): Promise<StepResult> {
  const ended: string[] = [];
  for (const { kind, uuid, crashes } of job.data.guilty as unknown as (Suspect & { crashes: number })[]) {
    const reason = String(job.subject.reason ?? 'no reason is known');
    const text = `Quarantined: ${crashes} processes ended by an uncaught exception while they worked on it, the last one with: ${reason}`;
    const statusMessage = text.length > longestMessage ? `${text.slice(0, longestMessage - 1)}…` : text;
    const hasEnded =
      kind === 'plan' ? await endPlan(unit, uuid, statusMessage) : await endAudit(unit, uuid, statusMessage);
    if (hasEnded) ended.push(`${kind} ${uuid}`);
  }
  return done('QUARANTINED', ended.length > 0 ? ended.join(', ') : 'it had ended already');
}

async function endPlan(unit: UnitOfWork, uuid: string, statusMessage: string): Promise<boolean> {
  const plan = await unit.actionPlans.find(uuid);
  if (plan === null) return false;
  try {
    await unit.actionPlans.transition(uuid, plan.state === 'CANCELLING' ? 'failCancel' : 'fail', {
      set: { statusMessage },
    });
  } catch (error) {
    if (error instanceof StateConflictError) return false;
    throw error;
  }
  for (const action of await unit.actions.listByPlan(uuid)) {
    const event = action.state === 'ONGOING' ? 'fail' : action.state === 'CANCELLING' ? 'failAbort' : null;
    if (event) await unit.actions.transition(action.uuid, event, { set: { statusMessage } });
  }
  await unit.actions.cancelPending(uuid, { statusMessage });
  return true;
}

async function endAudit(unit: UnitOfWork, uuid: string, statusMessage: string): Promise<boolean> {
  try {
    await unit.audits.transition(uuid, 'fail', { set: { statusMessage } });
    return true;
  } catch (error) {
    if (error instanceof StateConflictError) return false;
    throw error;
  }
}

/** Work that ends the processes that do it is given up, instead of ending the next one too. */
export const quarantineRule: RecoveryRule = {
  name: 'R10',
  what: 'uncaught exception: work that was done at three of them becomes FAILED with the reason',
  timeLimitMs: 60_000,
  opensFor(event) {
    const work = event.doc.work;
    if (event.type !== 'service.uncaught_exception' || !Array.isArray(work) || work.length === 0) return null;
    return { eventId: event.id, work, reason: event.doc.reason ?? null, service: event.serviceName, host: event.host };
  },
  firstPhase: 'count',
  phases: { count, quarantine },
};
