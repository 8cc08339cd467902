/** Sessions of the dashboard, shared by all API processes. Expiry is judged by database time. */
export interface DashboardSessions {
  /** Keeps a session for `seconds` and forgets those that have expired. */
  add(session: { idHash: string; sealedToken: string; seconds: number }): Promise<void>;
  /** The sealed token; null when the session is unknown or has expired. */
  find(idHash: string): Promise<string | null>;
  remove(idHash: string): Promise<void>;
  /** Those of `idHashes` that were removed or have expired. */
  ended(idHashes: readonly string[]): Promise<string[]>;
}
