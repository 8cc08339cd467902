import type { Revertibility } from '#libs/domain';

/** A plan can be undone as well as the worst of its actions; null when that is not known of one. */
export function verdictOf(verdicts: readonly (Revertibility | null)[]): Revertibility | null {
  if (verdicts.includes('impossible')) return 'impossible';
  if (verdicts.includes(null)) return null;
  return verdicts.includes('best-effort') ? 'best-effort' : 'exact';
}
