/** How many ended plans stay. */
export interface PlanRetention {
  /** Plans that ended longer ago go, and those that were deleted longer ago. */
  keepSeconds: number;
  /**
   * Ended plans that an audit keeps, the newest ones; those that were started and those that nobody started count apart, so
   * that recommendations do not push out what was executed. 0: as many as there are.
   */
  keepPerAudit: number;
  /** Actions that one call removes at most, by whole plans; default 100,000. The next call goes on. */
  maxActions?: number;
  /** Ends the work between two batches. */
  signal?: AbortSignal;
}

/** Rows that were removed. */
export interface PrunedPlans {
  plans: number;
  actions: number;
}

/** What stays of removed plans for three years: those that an audit got of a strategy on a day, by the state in which they ended. */
export interface PlanTotal {
  auditUuid: string;
  /** Name of the strategy. */
  strategy: string;
  /** UTC day on which the plans were made, such as `2026-11-22`. */
  day: string;
  state: string;
  plans: number;
  actions: number;
  succeededActions: number;
  failedActions: number;
}

/** What happens to plans that ended long ago. */
export interface Retention {
  /**
   * Removes ended plans with their actions, journal, runs and indicators, oldest first, a batch a transaction, and adds
   * them to the totals. Plans of which something is open stay, whatever their age, and every plan for ten minutes after its
   * end (for `keepSeconds` when that is less).
   */
  prunePlans(retention: PlanRetention): Promise<PrunedPlans>;
  /** Totals of removed plans, newest day first; of one audit when told. */
  planTotals(query: { auditUuid?: string; limit: number }): Promise<PlanTotal[]>;
}
