import type { JsonObject, JsonValue, Logger, NotificationKind } from '#libs/domain';
import type { ChangeRow, PlanEvent, Store } from '#libs/store';

/** Name under which the position in the change log is kept. */
const reader = 'notification-targets';
const batchSize = 200;

/** The states of a plan after which targets are notified, by `<old state> <new state>`. */
const kindOfMove: Readonly<Record<string, NotificationKind>> = {
  'PENDING ONGOING': 'plan.started',
  'PENDING FAILED': 'plan.failed',
  'ONGOING FAILED': 'plan.failed',
  'CANCELLING FAILED': 'plan.failed',
  'ONGOING SUCCEEDED': 'plan.ended',
  'CANCELLING CANCELLED': 'plan.ended',
};
/** The quantity was measured, and is outside of the promised range. */
const notKept: readonly (JsonValue | undefined)[] = ['BELOW', 'ABOVE'];

/**
 * The events of one change of a plan. A plan that is started again has another `launch_seq`, and other events. Its
 * promises are compared once.
 */
export function planEventsOf({ entityUuid, op, doc, oldState, at }: ChangeRow): PlanEvent[] {
  if (doc === null) return [];
  const { state, status_message: message = null, launch_seq: run } = doc;
  const event = (kind: NotificationKind, key: string, data: JsonObject = {}): PlanEvent => ({
    kind,
    planUuid: entityUuid,
    key,
    plan: { state: state ?? null, status_message: message },
    data,
    at,
  });
  const moved = kindOfMove[`${oldState} ${String(state)}`];
  const broken = brokenPromises(doc);
  return [
    ...(op === 'create' && state === 'RECOMMENDED' ? [event('plan.recommended', '')] : []),
    ...(moved === undefined ? [] : [event(moved, String(run))]),
    ...(broken.length === 0 ? [] : [event('plan.promise_not_kept', '', { promises: broken })]),
  ];
}

function brokenPromises({ outcome }: JsonObject): JsonValue[] {
  const promises = typeof outcome === 'object' && outcome !== null && !Array.isArray(outcome) ? outcome.promises : null;
  if (!Array.isArray(promises)) return [];
  return promises.filter((promise) => notKept.includes((promise as JsonObject | null)?.verdict));
}

/**
 * Stores the events since the last call: those of plans from the change log, which is written in the transaction of
 * each change, and slow machines from the reports of the coordinator. Repeated calls store an event once.
 */
export async function collectEvents(
  { store, logger }: { store: Store; logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  const { epoch, newest, oldest } = await store.changes.bounds();
  const kept = await store.changes.position(reader);
  // Read after the bounds: changes behind a target that was created since are read next time.
  const isWatched = (await store.db.notificationTargets.count()) > 0;
  const isNew = kept === null || kept.epoch !== epoch;
  if (isNew || !isWatched) {
    if (isNew || kept.revno !== newest) await store.changes.advance(reader, { epoch, revno: newest });
    return;
  }
  await store.db.notificationEvents.announceSlowMachines();
  if (kept.revno < oldest - 1) logger.warn({ from: kept.revno, to: oldest - 1 }, 'changes were pruned unnotified');
  for (let revno = kept.revno; revno < newest && !signal.aborted; ) {
    const changes = await store.changes.readKind('action_plan', { epoch, revno, upTo: newest }, batchSize);
    for (const event of changes.flatMap(planEventsOf)) await store.db.notificationEvents.announcePlan(event);
    revno = changes.length === batchSize ? (changes.at(-1)?.revno ?? newest) : newest;
    await store.changes.advance(reader, { epoch, revno });
  }
}
