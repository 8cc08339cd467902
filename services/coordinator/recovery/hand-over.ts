import type { IdSource } from '#libs/domain';
import { auditTrigger, message, planLaunch } from '#libs/messaging';
import type { OwnedWork, ServiceEvent, UnitOfWork } from '#libs/store';
import { done, type RecoveryRule, type StepContext, type StepResult } from './recovery-rule.ts';

type Work = Pick<OwnedWork, 'kind' | 'uuid' | 'launchSeq' | 'fence'>;

/**
 * Hands work over to any free process: releases the lease of its former holder and sends its message again, in the
 * transaction of `unit`. A holder that is alive with a newer fencing number keeps it, and the message finds nothing to
 * do.
 */
export async function requeue(unit: UnitOfWork, work: Work, newUuid: IdSource): Promise<void> {
  const { kind, uuid, fence } = work;
  if (kind === 'plan') {
    if (fence !== null) await unit.actionPlans.releaseLease(uuid, fence);
    const launchSeq = Math.max(1, work.launchSeq ?? 1);
    const body = { plan_uuid: uuid, launch_seq: launchSeq, requested_by: 'recovery-coordinator' };
    await unit.outbox.add({ eventId: newUuid(), ...message(planLaunch, body) });
    return;
  }
  if (fence !== null) await unit.audits.releaseLease(uuid, fence);
  await unit.outbox.add({ eventId: newUuid(), ...message(auditTrigger, { audit_uuid: uuid, reason: 'recovery' }) });
}

const timeLimitMs = 180_000;

/** The process has ended all its parts: its leases no longer protect anything. */
const hasLeft = new Set(['STOPPED']);

/** Reads the work that the lost or stopped process still holds. */
async function collect({ unit, job }: StepContext): Promise<StepResult> {
  const instanceId = String(job.subject.instanceId);
  const instance = await unit.registry.findInstance(instanceId);
  if (instance?.isAlive) return done('RETURNED', 'the process has returned and continues');
  const work = await unit.registry.ownedWork(instanceId);
  if (work.length === 0) return done('NOTHING', 'it held no work');
  return { kind: 'next', phase: 'hand-over', data: { found: work.map(({ uuid }) => uuid), handedOver: [] } };
}

/**
 * Hands over each piece of work when that is safe: immediately after an orderly stop, otherwise when its lease has
 * expired, because until then its holder may act on the cloud. A process that returns in time keeps the leases that it
 * renews.
 */
async function handOver({ unit, job, newUuid }: StepContext): Promise<StepResult> {
  const instanceId = String(job.subject.instanceId);
  const instance = await unit.registry.findInstance(instanceId);
  const mayTake = instance !== null && hasLeft.has(instance.state);
  const handedOver = [...(job.data.handedOver as string[])];
  const work = await unit.registry.ownedWork(instanceId);
  const free = work.filter(({ leaseExpired }) => leaseExpired || mayTake);
  for (const piece of free) {
    await requeue(unit, piece, newUuid);
    handedOver.push(piece.uuid);
  }
  if (free.length < work.length) return { kind: 'wait', data: { ...job.data, handedOver } };
  const detail = handedOver.length > 0 ? handedOver.join(', ') : 'others had taken it already';
  return done('HANDED_OVER', detail);
}

function handOverRule(name: string, what: string, matches: (event: ServiceEvent) => boolean): RecoveryRule {
  return {
    name,
    what,
    timeLimitMs,
    opensFor: (event) =>
      event.instanceId !== null && matches(event)
        ? { instanceId: event.instanceId, service: event.serviceName, host: event.host }
        : null,
    firstPhase: 'collect',
    phases: { collect, 'hand-over': handOver },
  };
}

/** Ends that a process announces itself. One that the supervisor reports as failed still runs and holds its leases. */
const announcedEnds = new Set(['service.stopped', 'service.failed', 'service.uncaught_exception']);

/** Rules about lost processes and their work. */
export const handOverRules: readonly RecoveryRule[] = [
  handOverRule(
    'R1',
    'applier lost: its plans go to other appliers when their leases have expired',
    ({ type, serviceType }) => type === 'service.lost' && serviceType === 'watcher-applier',
  ),
  handOverRule(
    'R2',
    'decision engine lost: its audits are queued again when their leases have expired',
    ({ type, serviceType }) => type === 'service.lost' && serviceType === 'watcher-decision-engine',
  ),
  handOverRule(
    'R4',
    'process ended and left work: it is handed over at once after an orderly stop',
    ({ type, doc }) => announcedEnds.has(type) && doc.checks === undefined,
  ),
];
