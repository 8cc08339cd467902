/** Who asked for which change, and what came of it. */
export interface AuditLogEntry {
  uuid: string;
  /** When the request came, by the clock of the API process; ISO 8601. */
  at: string;
  requestId: string;
  /** Request id that a calling service sent along. */
  globalRequestId: string | null;
  userId: string | null;
  userName: string | null;
  projectId: string | null;
  projectName: string | null;
  roles: readonly string[];
  /** Of the client, as far as the API can see it. */
  address: string | null;
  method: string;
  /** Pattern of the path, such as `/v1/audits/:ident`. */
  route: string;
  /** Such as `update_audit` or `sign_in`. */
  operation: string;
  /** Such as `audit`. */
  targetKind: string | null;
  /** Uuid, or the name under which it was asked for. */
  target: string | null;
  /** HTTP status; null: the change was made, and the process ended before it had answered. */
  status: number | null;
  /** What was to be changed, without secrets. */
  summary: string;
}

/** Which entries are wanted; conditions that are absent hold for all. */
export interface AuditLogQuery {
  from?: Date;
  /** Exclusive. */
  to?: Date;
  /** Id or name. */
  user?: string;
  target?: string;
  targetKind?: string;
  method?: string;
  /** Only entries before the one with this uuid. */
  marker?: string;
  limit: number;
}

/** The audit log. */
export interface AuditLog {
  /**
   * Adds entries, or completes those with the same uuid by status and target. In a transaction this never fails it: false
   * says that nothing was written.
   */
  record(entries: readonly AuditLogEntry[]): Promise<boolean>;
  /** Newest first. */
  list(query: AuditLogQuery): Promise<AuditLogEntry[]>;
  /** By uuids, or of the newest `newest` those after the row `afterId`; in order of row id. */
  select(query: {
    uuids?: readonly string[];
    newest: number;
    afterId?: number;
    limit?: number;
  }): Promise<(AuditLogEntry & { id: number })[]>;
  /** Forgets entries older than `ageSeconds`; answers how many. */
  prune(ageSeconds: number): Promise<number>;
}
