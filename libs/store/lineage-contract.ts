/**
 * How the database stands to the one that was seen last. `same`: nothing happened; `sealed`: it was seen for the first time;
 * `failed_over`: another server leads, what clients have seen may be lost; `restored`: it is a copy of an earlier state, or
 * somebody said so; `unvouched`: another server leads, and this process cannot tell whether it was restored.
 */
export type LineageVerdict = 'same' | 'sealed' | 'failed_over' | 'restored' | 'unvouched';

/** What a look at the database's lineage has found and done. */
export interface LineageResult {
  verdict: LineageVerdict;
  /** Uuids of what was held with `restored`. */
  heldPlans: string[];
  heldAudits: string[];
}

/**
 * Tells a database from a restored copy of it. A row says where it was written: server, database, timeline, and the
 * transaction that wrote it. A copy made by pg_dump, by COPY or as a template has another one of these. While they differ,
 * no plan and no audit can be claimed.
 */
export interface Lineage {
  /**
   * Looks, and does what follows: after a fail-over the change stream has a new epoch; after a restore plans and audits that
   * were under way become SUSPENDED as well. `decides`: take what cannot be told for a restore; default false.
   */
  check(options?: { decides?: boolean }): Promise<LineageResult>;
  /** The same as after a restore that was noticed. */
  declareRestored(): Promise<LineageResult>;
}
