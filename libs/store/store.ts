import type { ChangeStreamStore } from './change-stream.ts';
import type { ChangeLog } from './changes/change-log.ts';
import type { DynamicValues } from './dashboard/dynamic-values.ts';
import type { Lineage } from './lineage/lineage.ts';
import type { ActionDurations } from './lists/action-durations.ts';
import type { EntityLists } from './lists/entity-lists.ts';
import type { MoveHistory } from './lists/move-history.ts';
import type { PeriodReports } from './lists/period-report.ts';
import type { PlanTrends } from './lists/plan-trends.ts';
import type { PlanWork } from './lists/plan-work.ts';
import type { Retention } from './maintenance/retention.ts';
import type { UnitOfWork } from './unit.ts';
import type { OutboxQueue } from './work/outbox-queue.ts';

/**
 * The domain store. `db` runs each call in a separate transaction. `transaction` groups calls and is retried (at most 3
 * times) on deadlock and serialization failures.
 */
export interface Store {
  db: UnitOfWork;
  transaction<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
  outboxQueue: OutboxQueue;
  changes: ChangeLog;
  /** Calls `wake` after each commit that added tasks or changed the state of one. Returns the stop function. */
  onTasksChanged(wake: () => void): Promise<() => Promise<void>>;
  dynamicValues: DynamicValues;
  changeStream: ChangeStreamStore;
  retention: Retention;
  lists: EntityLists;
  moves: MoveHistory;
  trends: PlanTrends;
  periodReports: PeriodReports;
  /** Values for the headlines of plans. */
  planWork: PlanWork;
  /** Durations of actions, for estimates. */
  actionDurations: ActionDurations;
  lineage: Lineage;
  /** Writes and reads back a row on a primary. @throws an error with the reason */
  probe(): Promise<void>;
  /** Ends the pool after the running transactions. Repeated calls have no effect. */
  close(): Promise<void>;
}
