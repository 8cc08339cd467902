/** Colours from one end to the other. */
const buckets = 10;

/** Shares in percent at the two ends of the colours. */
export interface ShareEnds {
  from: number;
  to: number;
}

/** From this number of shares on, a relative scale leaves out the highest and lowest two percent. */
const manyShares = 50;
const leftOut = 0.02;

/** Whether a share is beyond the colours. */
export function isOutlier(share: number | null, { from, to }: ShareEnds): boolean {
  return share !== null && (share < from || share > to);
}

/** The ends of the colours: 0 and 100, or (relative) the ends of the shares without outliers. Null: unknown. */
export function scaleOf(shares: readonly (number | null)[], isRelative: boolean): ShareEnds {
  if (!isRelative) return { from: 0, to: 100 };
  const known = shares.filter((share) => share !== null).sort((a, b) => a - b);
  const skipped = known.length < manyShares ? 0 : Math.floor(known.length * leftOut);
  const [from = 0, to = 0] = [known[skipped], known[known.length - 1 - skipped]];
  return to > from ? { from, to } : { from: 0, to: 100 };
}

/** Class of the colour for a value from 0 to 100. Null: unknown. */
export function heatClass(heat: number | null): string {
  if (heat === null) return 'vigil-heat-none';
  return `vigil-heat-${Math.max(0, Math.min(buckets - 1, Math.floor(heat / buckets)))}of10`;
}
