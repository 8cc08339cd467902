/**
 * Pause in milliseconds before the next try: the first pause, doubled per failed try, up to the longest.
 * @param failures tries that failed before the last one, from 0.
 */
export function doublingPause(
  failures: number,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): number {
  return Math.min(firstMs * 2 ** failures, longestMs);
}
