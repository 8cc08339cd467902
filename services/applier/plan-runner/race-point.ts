/**
 * Named instants of a run at which a test can stop it for ever, as a killed process would stop. Production passes
 * through them.
 */
export type RacePoint =
  | 'before-claim-commit'
  | 'after-claim'
  | 'after-intent'
  | 'after-send'
  | 'mid-poll'
  | 'before-succeeded'
  | 'before-abort'
  | 'mid-rollback'
  | 'before-finish';

export type RacePointHook = (point: RacePoint) => Promise<void>;

/** Passes through. */
export const noRace: RacePointHook = async () => {};
