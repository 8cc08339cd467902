import type { ChangeStreamStore } from './change-stream-contract.ts';
import type { DynamicValues } from './dynamic-values-contract.ts';
import type { UnitOfWork } from './entities/types.ts';
import type { Lineage } from './lineage-contract.ts';
import type { Retention } from './retention-contract.ts';
import type { ChangeLog, OutboxQueue } from './work-contract.ts';

/**
 * The domain store. `db` runs each call in a transaction of its own; `transaction` groups calls and is tried again (at
 * most 3 times) on deadlock and serialization failures.
 */
export interface Store {
  db: UnitOfWork;
  transaction<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
  outboxQueue: OutboxQueue;
  changes: ChangeLog;
  /** Calls `wake` after each commit that added tasks or changed the state of one. Answers the stop function. */
  onTasksChanged(wake: () => void): Promise<() => Promise<void>>;
  dynamicValues: DynamicValues;
  changeStream: ChangeStreamStore;
  retention: Retention;
  lineage: Lineage;
  /** Writes and reads back a row on a primary; throws with the reason when it can not. */
  probe(): Promise<void>;
  /** Ends the pool after the transactions under way; more than one call does no harm. */
  close(): Promise<void>;
}
