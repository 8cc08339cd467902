/** Sessions of the dashboard, shared by all API processes. Expiry is judged by database time. */
export interface DashboardSessions {
  /**
   * Keeps a session for `seconds` at most and `idleSeconds` (null: no such limit) after its last renewal, and forgets those that
   * have expired.
   */
  add(session: { idHash: string; sealedToken: string; seconds: number; idleSeconds: number | null }): Promise<void>;
  /** Null when the session is unknown or has expired. `isDue`: a tenth of `idleSeconds` has passed since the last renewal. */
  find(
    idHash: string,
    idleSeconds: number | null,
  ): Promise<{ sealedToken: string; secondsLeft: number; isDue: boolean } | null>;
  /** Lets a session that has not expired live for another `idleSeconds`, never past its end. */
  renew(idHash: string, idleSeconds: number | null): Promise<void>;
  remove(idHash: string): Promise<void>;
  /** Those of `idHashes` that were removed or have expired. */
  ended(idHashes: readonly string[]): Promise<string[]>;
}
