import {
  type ActionEvent,
  type ActionPlan,
  actionStateTable,
  LeaseLostError,
  type Logger,
  moveOf,
  StateConflictError,
  VigilError,
} from '#libs/domain';
import type { ActionView, Store, UnitOfWork } from '#libs/store';
import { wait } from './wait.ts';

const firstPauseMs = 200;
const longestPauseMs = 5000;

/** Every access of a run to the store: writes carry its fencing number, outages of the database are waited out. */
export interface RunWrites {
  /** Runs `work` in one transaction, again while the database is away, until the run is halted. */
  inTransaction<Answer>(work: (unit: UnitOfWork) => Promise<Answer>): Promise<Answer>;
  /** Repeats `work` while it fails for a passing reason. */
  persist<Answer>(work: () => Promise<Answer>): Promise<Answer>;
  /** Changes an action's state; `also` is done in the same transaction. */
  moveAction(
    uuid: string,
    event: ActionEvent,
    set?: { statusMessage?: string; startedAt?: Date; endedAt?: Date },
    also?: (unit: UnitOfWork, row: ActionView) => Promise<void>,
  ): Promise<ActionView>;
  /** Writes columns that no state change carries, only while the lease is ours. */
  updateFenced(write: (unit: UnitOfWork) => Promise<unknown>): Promise<void>;
  updatePlan(changes: Partial<Pick<ActionPlan, 'rollbackState' | 'rollbackMessage'>>): Promise<void>;
}

export interface RunWritesOptions {
  planUuid: string;
  fence: number;
  leaseTtlMs: number;
  /** Fires when the run must not write any more. */
  halt: AbortSignal;
  /** Told at once when a write is refused because another run holds the lease. */
  onLost(error: LeaseLostError): void;
  logger: Logger;
}

export function createRunWrites(store: Store, options: RunWritesOptions): RunWrites {
  const { planUuid, fence, halt, logger } = options;

  async function persist<Answer>(work: (isRepeated: boolean) => Promise<Answer>): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      halt.throwIfAborted();
      try {
        return await work(tries > 0);
      } catch (error) {
        if (error instanceof LeaseLostError) options.onLost(error);
        if (!(error instanceof VigilError) || error.category !== 'retryable') throw error;
        logger.warn({ plan: planUuid, tries, error }, 'database is away, trying again');
      }
      await wait(Math.min(firstPauseMs * 2 ** tries, longestPauseMs), halt);
    }
  }

  async function updateFenced(write: (unit: UnitOfWork) => Promise<unknown>): Promise<void> {
    await persist(() =>
      store.transaction(async (unit) => {
        // Renewing locks the row under its fencing number, which makes the write as safe as a state change.
        const isOurs = await unit.actionPlans.renewLease(planUuid, fence, options.leaseTtlMs);
        if (!isOurs) throw new LeaseLostError(`action plan ${planUuid}`);
        await write(unit);
      }),
    );
  }

  return {
    persist,
    inTransaction: (work) => persist(() => store.transaction(work)),
    updateFenced,
    updatePlan: (changes) => updateFenced((unit) => unit.actionPlans.update(planUuid, changes)),
    moveAction: (uuid, event, set = {}, also) =>
      persist(async (isRepeated) => {
        try {
          return await store.transaction(async (unit) => {
            const row = await unit.actions.transition(uuid, event, { set, fence });
            await also?.(unit, row);
            return row;
          });
        } catch (error) {
          // The answer to the first try may have got lost after its commit.
          const isDone = isRepeated && error instanceof StateConflictError;
          if (!isDone || error.currentState !== moveOf(actionStateTable, event).to) throw error;
          return store.db.actions.get(uuid);
        }
      }),
  };
}
