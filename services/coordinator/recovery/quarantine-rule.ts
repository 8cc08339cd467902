import { putBackPlan } from '#libs/actions';
import { type JsonObject, StateConflictError } from '#libs/domain';
import { type ServiceEventType, type ServiceInstance, startRevertPlan, type UnitOfWork } from '#libs/store';
import { done, type RecoveryRule, type StepContext, type StepResult } from './recovery-rule.ts';

/** Uncaught exceptions during one piece of work after which it is not tried again, when it was alone at one of them. */
const mostExceptions = 3;
/** The same for work that never ran alone: concurrent work may be the cause. */
const mostExceptionsBeside = 2 * mostExceptions;
const longestMessage = 255;

/** Keys that limit how often work is started. The processes that do the work keep to them themselves. */
const limitKeys = { plan: 'VIGIL_APPLIER_MAX_TAKEOVERS', audit: 'VIGIL_AUDIT_MAX_ATTEMPTS' } as const;

interface Suspect {
  kind: 'plan' | 'audit';
  uuid: string;
}

/**
 * Ends of any kind after which work is given up: when the next process would give it up as it starts, by the limit in
 * the configuration of the one that has ended. Take-overs are counted after the first run, attempts with it.
 */
function mostEnds(kind: Suspect['kind'], instance: ServiceInstance | null): number {
  const limit = Number(instance?.config[limitKeys[kind]]);
  if (!Number.isInteger(limit)) return Number.POSITIVE_INFINITY;
  return kind === 'plan' ? limit + 1 : limit;
}

async function count({ unit, job }: StepContext): Promise<StepResult> {
  const { eventId, cause } = job.subject;
  const instance = await unit.registry.findInstance(String(job.subject.instanceId));
  if (instance?.isAlive) return done('RETURNED', 'the process has returned and continues');
  const suspects = job.subject.work as unknown as Suspect[];
  const guilty: JsonObject[] = [];
  for (const { kind, uuid } of suspects) {
    const crash = {
      eventId: Number(eventId),
      cause: cause === 'lost' ? 'lost' : 'exception',
      alone: suspects.length === 1,
    } as const;
    const { exceptions, alone, lost } = await unit.recovery.noteCrash({ kind, uuid }, crash);
    const isGuilty =
      exceptions >= (alone ? mostExceptions : mostExceptionsBeside) || exceptions + lost >= mostEnds(kind, instance);
    if (isGuilty) guilty.push({ kind, uuid, crashes: exceptions + lost });
  }
  if (guilty.length === 0) return done('COUNTED', 'fewer ends than its limit of each');
  return { kind: 'next', phase: 'quarantine', data: { guilty } };
}

async function quarantine({ unit, job, newUuid }: StepContext): Promise<StepResult> {
  const ended: string[] = [];
  for (const { kind, uuid, crashes } of job.data.guilty as unknown as (Suspect & { crashes: number })[]) {
    const reason = String(job.subject.reason ?? 'no reason is known');
    const text = `Quarantined: ${crashes} processes ended while they worked on it, the last one with: ${reason}`;
    const statusMessage = text.length > longestMessage ? `${text.slice(0, longestMessage - 1)}…` : text;
    const hasEnded =
      kind === 'plan'
        ? await endPlan({ unit, newUuid }, uuid, statusMessage)
        : await endAudit(unit, uuid, statusMessage);
    if (hasEnded) ended.push(`${kind} ${uuid}`);
  }
  return done('QUARANTINED', ended.length > 0 ? ended.join(', ') : 'it had ended already');
}

async function endPlan(
  { unit, newUuid }: Pick<StepContext, 'unit' | 'newUuid'>,
  uuid: string,
  statusMessage: string,
): Promise<boolean> {
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
  if (!plan.byOrder && plan.rollsBack === null) await startRevertPlan(unit, plan, putBackPlan, newUuid);
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

const causes: Partial<Record<ServiceEventType, 'exception' | 'lost'>> = {
  'service.uncaught_exception': 'exception',
  'service.lost': 'lost',
};

/** Abandons work that crashes its processes, before it crashes the next one. */
export const quarantineRule: RecoveryRule = {
  name: 'R10',
  what: 'work at which processes ended again and again becomes FAILED with the reason',
  timeLimitMs: 60_000,
  opensFor(event) {
    const { work, reason = null } = event.doc;
    const cause = causes[event.type];
    if (!cause || !Array.isArray(work) || work.length === 0) return null;
    const { id, instanceId, serviceName, host } = event;
    return { eventId: id, instanceId, cause, work, reason, service: serviceName, host };
  },
  firstPhase: 'count',
  phases: { count, quarantine },
};
