import { effectOf, revertType } from '#libs/actions';
import type { ComputeSnapshot, ConstraintName, StorageSnapshot } from '#libs/cluster-model';
import { type BlockedCount, doublingPause, movingActionTypes, volumeActionTypes } from '#libs/domain';
import type { ActionView, UnitOfWork } from '#libs/store';

/** An instance or volume whose last moves failed. */
export interface FailedMigration {
  uuid: string;
  /** Failures since its last move that succeeded, in the last week. */
  failures: number;
  /** Until when it is left alone, milliseconds since 1970. */
  heldUntilMs: number;
}

/** Failures before that are forgotten. */
const memoryMs = 7 * 24 * 3_600_000;
/** Nothing is left alone longer than this. */
const longestHoldMs = 24 * 3_600_000;

/**
 * The instances and volumes that plans of any audit, or rollbacks, failed to move lately and that are still to be left
 * alone, by database time: for `backOffMs` after the first failure, twice as long after each further one, a day at
 * most. None when `backOffMs` is 0.
 */
export async function failedMigrations(
  db: Pick<UnitOfWork, 'actions' | 'now'>,
  backOffMs: number,
): Promise<FailedMigration[]> {
  if (backOffMs === 0) return [];
  const nowMs = (await db.now()).getTime();
  const failed = await movesThat(db, 'FAILED', new Date(nowMs - memoryMs));
  if (failed.length === 0) return [];
  const first = Math.min(...failed.map(({ endedMs }) => endedMs));
  const lastSuccess = new Map<string, number>();
  for (const { uuid, endedMs } of await movesThat(db, 'SUCCEEDED', new Date(first))) {
    lastSuccess.set(uuid, Math.max(endedMs, lastSuccess.get(uuid) ?? 0));
  }
  const found = new Map<string, { failures: number; lastMs: number }>();
  for (const { uuid, endedMs } of failed) {
    if (endedMs <= (lastSuccess.get(uuid) ?? 0)) continue;
    const known = found.get(uuid) ?? { failures: 0, lastMs: 0 };
    found.set(uuid, { failures: known.failures + 1, lastMs: Math.max(known.lastMs, endedMs) });
  }
  return [...found]
    .map(([uuid, { failures, lastMs }]) => ({
      uuid,
      failures,
      heldUntilMs: lastMs + doublingPause(failures - 1, { firstMs: backOffMs, longestMs: longestHoldMs }),
    }))
    .filter(({ heldUntilMs }) => heldUntilMs > nowMs)
    .sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
}

/** Types of actions whose failures are remembered. */
const remembered = [...movingActionTypes, ...volumeActionTypes];

async function movesThat(
  db: Pick<UnitOfWork, 'actions'>,
  state: 'FAILED' | 'SUCCEEDED',
  since: Date,
): Promise<{ uuid: string; endedMs: number }[]> {
  const actions: ActionView[] = await db.actions.list({
    filters: [
      { field: 'actionType', op: 'in', value: [...remembered, revertType] },
      { field: 'state', value: state },
      { field: 'endedAt', op: 'gte', value: since },
    ],
  });
  return actions.flatMap((action) => {
    const { actionType, inputParameters } = effectOf(action);
    const { resource_id: uuid } = inputParameters;
    if (!remembered.includes(actionType) || typeof uuid !== 'string' || action.endedAt === null) return [];
    return { uuid, endedMs: action.endedAt.getTime() };
  });
}

/** Note of a report on failed migrations. */
export interface FailureTale {
  /** Uuids of those that are in the snapshot. */
  uuids: string[];
  notes: string[];
  /** The counts of a strategy, with one of the instances that are left alone. */
  blocked(counts: readonly BlockedCount[]): BlockedCount[];
}

const constraint: ConstraintName = 'migration-failed';
const exampleLimit = 3;

/** Movable entities by uuid: instances, and volumes where a strategy reads them. */
type Models = [Pick<ComputeSnapshot, 'instanceInfo'>, Pick<StorageSnapshot, 'volumes'>?];

/** Returns the instances and volumes to leave alone. By order they are tried again, with a note that they failed. */
export function reportFailedMigrations(
  [{ instanceInfo }, storage]: Models,
  failed: readonly FailedMigration[],
  byOrder: boolean,
): FailureTale {
  const kinds = [
    { words: 'instances', things: instanceInfo },
    { words: 'volumes', things: storage?.volumes ?? [] },
  ].map(({ words, things }) => {
    const names = new Map(things.map(({ uuid, name }) => [uuid, name === '' ? uuid : name]));
    const here = failed.flatMap((one) => ({ ...one, name: names.get(one.uuid) ?? '' }));
    return { words, here: here.filter(({ name }) => name !== '') };
  });
  const all = kinds.flatMap(({ here }) => here);
  const isHeld = !byOrder && all.length > 0;
  const examples = all.slice(0, exampleLimit).map(({ name }) => name);
  return {
    uuids: all.map(({ uuid }) => uuid),
    notes: kinds.flatMap(({ words, here }) => (here.length === 0 ? [] : [noteOn(words, here, byOrder)])),
    blocked: (counts) => [
      ...counts.filter((count) => !isHeld || count.constraint !== constraint),
      ...(isHeld ? [{ constraint, count: all.length, examples }] : []),
    ],
  };
}

function noteOn(words: string, here: readonly (FailedMigration & { name: string })[], byOrder: boolean): string {
  const texts = here.slice(0, exampleLimit).map(({ name, failures, heldUntilMs }) => {
    const until = byOrder ? '' : `, until ${new Date(heldUntilMs).toISOString()}`;
    return `${name} (${failures} ${failures === 1 ? 'failure' : 'failures'}${until})`;
  });
  const rest = here.length > exampleLimit ? ` and ${here.length - exampleLimit} more` : '';
  const what = byOrder
    ? `${here.length} ${words} are tried although their migrations failed lately`
    : `${here.length} ${words} are left alone because their migrations failed`;
  return `${what}: ${texts.join(', ')}${rest}`;
}
