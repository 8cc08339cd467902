const buckets = 10;

/** Class of the colour for a value from 0 to 100; null: not known. */
export function heatClass(heat: number | null): string {
  if (heat === null) return 'vigil-heat-none';
  return `vigil-heat-${Math.max(0, Math.min(buckets - 1, Math.floor(heat / buckets)))}of10`;
}
