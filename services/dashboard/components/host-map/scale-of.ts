/** Colours from one end to the other. */
const buckets = 10;

/** Shares in percent at the two ends of the colours. */
export interface ShareEnds {
  from: number;
  to: number;
}

/** The ends of the colours: 0 and 100 (absolute), or minimum and maximum of these shares. Null: unknown. */
export function scaleOf(shares: readonly (number | null)[], isRelative: boolean): ShareEnds {
  if (!isRelative) return { from: 0, to: 100 };
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const share of shares) {
    if (share === null) continue;
    from = Math.min(from, share);
    to = Math.max(to, share);
  }
  return to > from ? { from, to } : { from: 0, to: 100 };
}

/** Class of the colour for a value from 0 to 100. Null: unknown. */
export function heatClass(heat: number | null): string {
  if (heat === null) return 'vigil-heat-none';
  return `vigil-heat-${Math.max(0, Math.min(buckets - 1, Math.floor(heat / buckets)))}of10`;
}
