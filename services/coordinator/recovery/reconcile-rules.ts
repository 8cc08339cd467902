import type { UnitOfWork } from '#libs/store';
import { requeue } from './hand-over.ts';
import { done, type RecoveryRule, type StepContext, type StepResult } from './recovery-rule.ts';

const workerOf = { plan: 'watcher-applier', audit: 'watcher-decision-engine' } as const;

/** A message that was sent this recently may still arrive. */
const freshMessageSeconds = 60;

/** A new leader checks everything that its predecessor may have left, independently of events. */
async function reconcile({ unit, newUuid }: StepContext): Promise<StepResult> {
  const ended = (await unit.registry.listInstances()).filter(({ endedAt }) => endedAt !== null);
  const handedOver: string[] = [];
  for (const { instanceId } of ended) {
    for (const work of await unit.registry.ownedWork(instanceId)) {
      if (!work.leaseExpired || (await unit.recovery.hasMessage(work, freshMessageSeconds))) continue;
      await requeue(unit, work, newUuid);
      handedOver.push(work.uuid);
    }
  }
  return done(
    'RECONCILED',
    handedOver.length > 0 ? `handed over: ${handedOver.join(', ')}` : 'nothing was left behind',
  );
}

/** Sends the message of unheld work again, when a process is available to take it. */
async function requeueOrphan({ unit, job, newUuid }: StepContext): Promise<StepResult> {
  const kind = job.subject.kind === 'plan' ? 'plan' : 'audit';
  const uuid = String(job.subject.uuid);
  const workers = (await unit.registry.listInstances({ liveOnly: true })).filter(
    (instance) => instance.isAlive && instance.acceptsWork && instance.serviceType === workerOf[kind],
  );
  if (workers.length === 0) return done('NOBODY', `no ${workerOf[kind]} is there to take it`);
  if (await unit.recovery.hasMessage({ kind, uuid }, freshMessageSeconds))
    return done('SENT', 'its message is in transit');
  const work = await orphan(unit, kind, uuid);
  if (work === null) return done('TAKEN', 'another process holds it, or it has ended');
  await requeue(unit, work, newUuid);
  return done('REQUEUED', `${kind} ${uuid}`);
}

async function orphan(unit: UnitOfWork, kind: 'plan' | 'audit', uuid: string) {
  const repository = kind === 'plan' ? unit.actionPlans : unit.audits;
  const claimable = await repository.findClaimable({ pendingMs: 0, limit: 10_000 });
  if (!claimable.some((found) => found.uuid === uuid)) return null;
  const row = await repository.find(uuid);
  if (row === null) return null;
  return { kind, uuid, fence: row.fence, launchSeq: 'launchSeq' in row ? Number(row.launchSeq) : null };
}

/** Opened by the coordinator itself when it becomes the leader. */
export const leaderRule: RecoveryRule = {
  name: 'R5',
  what: 'leader lost: the next one checks everything again',
  timeLimitMs: 60_000,
  opensFor: () => null,
  firstPhase: 'reconcile',
  phases: { reconcile },
};

/** Opened by the coordinator's poll of the database. */
export const orphanRule: RecoveryRule = {
  name: 'R8',
  what: 'work without an owner and without a message: its message is sent again',
  timeLimitMs: 60_000,
  opensFor: () => null,
  firstPhase: 'requeue',
  phases: { requeue: requeueOrphan },
};
