/** An object with unknown fields, or null. */
export function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** The items of an array; none when it is no array. */
export function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text, or an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
