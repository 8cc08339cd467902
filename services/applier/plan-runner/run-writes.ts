import {
  type ActionAttemptJournal,
  type ActionEndReason,
  type ActionEvent,
  type ActionPlan,
  actionStateTable,
  LeaseLostError,
  type Logger,
  moveOf,
  StateConflictError,
  VigilError,
} from '#libs/domain';
import { retry } from '#libs/service-kit';
import type { ActionEnd, ActionStart, ActionView, Store, UnitOfWork } from '#libs/store';
import { createBatcher } from './batcher.ts';

const pauses = { firstMs: 200, longestMs: 5000 };

/** Further columns of a state change of an action. */
interface ActionChange {
  statusMessage?: string;
  endReason?: ActionEndReason;
  endedAt?: Date;
}

/** Columns of a plan that a run writes in addition to the state. */
type PlanChanges = Partial<Pick<ActionPlan, 'rollbackState' | 'rollbackMessage' | 'holdUntil' | 'statusMessage'>>;

/**
 * Access of a run to the store. Writes carry the fencing number, and all calls wait for the end of database outages.
 */
export interface RunWrites {
  /** Runs `work` in one transaction. Retries while the database is unavailable, until the run is halted. */
  inTransaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>;
  /** Repeats `work` while it fails temporarily. */
  persist<Result>(work: () => Promise<Result>): Promise<Result>;
  /** PENDING → ONGOING with a new attempt. Null when the plan or action no longer allows it. */
  startAction(action: ActionView, entry: Omit<ActionStart, 'uuid'>): Promise<ActionAttemptJournal | null>;
  /**
   * Writes the end state of an action and of its attempt. Returns the resulting row.
   * @throws StateConflictError when the action's state does not allow it
   */
  endAction(action: ActionView, entry: Omit<ActionEnd, 'uuid'>): Promise<ActionView>;
  /** Changes an action's state in its own transaction. */
  moveAction(uuid: string, event: ActionEvent, set?: ActionChange): Promise<ActionView>;
  /** Writes columns without a state change, only while this run holds the lease. */
  updateFenced(write: (unit: UnitOfWork) => Promise<unknown>): Promise<void>;
  updatePlan(changes: PlanChanges): Promise<void>;
}

export interface RunWritesOptions {
  planUuid: string;
  fence: number;
  leaseTtlMs: number;
  /** Fires when the run must no longer write. */
  halt: AbortSignal;
  /**
   * Called immediately when this run cannot continue: another run holds the lease, or the store fails permanently. An
   * error of the store is not an error of the cloud, so it never becomes the outcome of an action.
   */
  onBroken(error: unknown): void;
  logger: Logger;
}

/** Writes of the run that holds the lease with `options.fence`. */
export function createRunWrites(store: Store, options: RunWritesOptions): RunWrites {
  const { planUuid, fence, halt, logger } = options;

  function persist<Result>(work: (isRepeated: boolean) => Promise<Result>): Promise<Result> {
    return retry((tries) => work(tries > 0), {
      pauses,
      signal: halt,
      isPassing(error) {
        // Another process was first. The caller expects this.
        if (error instanceof StateConflictError) return false;
        if (error instanceof VigilError && error.category === 'retryable') return true;
        options.onBroken(error);
        return false;
      },
      onFailure: (error, tries) => logger.info({ plan: planUuid, tries, error }, 'database unavailable, retrying'),
    });
  }

  async function updateFenced(write: (unit: UnitOfWork) => Promise<unknown>): Promise<void> {
    await persist(() =>
      store.transaction(async (unit) => {
        // Renewal locks the row under its fencing number, so the write is as safe as a state change.
        const isOurs = await unit.actionPlans.renewLease(planUuid, fence, options.leaseTtlMs);
        if (!isOurs) throw new LeaseLostError(`action plan ${planUuid}`);
        await write(unit);
      }),
    );
  }

  const beginnings = createBatcher<{ action: ActionView; begin: ActionStart }, ActionAttemptJournal | null>((batch) =>
    persist(async (isRepeated) => {
      const entries = batch.map(({ begin }) => begin);
      const started = await store.db.actionBatches.start(planUuid, fence, entries);
      // The response to the first try may have got lost after its commit.
      const find = ({ action }: { action: ActionView }) =>
        started.get(action.uuid) ?? (isRepeated ? ownAttempt(action) : null);
      return Promise.all(batch.map(find));
    }),
  );

  async function ownAttempt(action: ActionView): Promise<ActionAttemptJournal | null> {
    const { state } = await store.db.actions.get(action.uuid);
    const attempt = state === 'ONGOING' ? await store.db.actionAttempts.latest(action.id) : null;
    return attempt?.fence === fence ? attempt : null;
  }

  /** Returns the current rows. A row that neither moved nor has the target state is a conflict for its caller. */
  const ends = createBatcher<{ action: ActionView; end: ActionEnd }, ActionView>((batch) =>
    persist(async () => {
      const entries = batch.map(({ end }) => end);
      const ended = await store.db.actionBatches.end(planUuid, fence, entries);
      const find = ({ action, end }: { action: ActionView; end: ActionEnd }) =>
        ended.has(end.uuid) ? endedRow(action, end) : store.db.actions.get(end.uuid);
      return Promise.all(batch.map(find));
    }),
  );

  return {
    persist,
    inTransaction: (work) => persist(() => store.transaction(work)),
    updateFenced,
    updatePlan: (changes) => updateFenced((unit) => unit.actionPlans.update(planUuid, changes)),
    startAction: (action, entry) => beginnings.add({ action, begin: { ...entry, uuid: action.uuid } }),
    async endAction(action, entry) {
      const row = await ends.add({ action, end: { ...entry, uuid: action.uuid } });
      if (row.state === moveOf(actionStateTable, entry.event).to) return row;
      throw new StateConflictError('Action', action.uuid, row.state, entry.event);
    },
    moveAction: (uuid, event, set = {}) =>
      persist(async (isRepeated) => {
        try {
          return await store.transaction((unit) => unit.actions.transition(uuid, event, { set, fence }));
        } catch (error) {
          // The response to the first try may have got lost after its commit.
          const isDone = isRepeated && error instanceof StateConflictError;
          if (!isDone || error.currentState !== moveOf(actionStateTable, event).to) throw error;
          return store.db.actions.get(uuid);
        }
      }),
  };
}

function endedRow(action: ActionView, end: ActionEnd): ActionView {
  const { to } = moveOf(actionStateTable, end.event);
  const statusMessage = end.statusMessage ?? action.statusMessage;
  const { endReason, endedAt, refusal = null } = end;
  return { ...action, state: to, statusMessage, endReason, refusal, endedAt };
}
