/** Objects with keys that users choose. */
const openMaps = new Set([
  'metadata',
  'extra_specs',
  'addresses',
  'properties',
  'cpu_info',
  'scheduler_hints',
  'capabilities',
]);
/** Objects that are keyed by the identifiers of other things. */
const byIdentifier = new Set(['allocations', 'provider_summaries', 'mappings', 'hosts']);

/**
 * The keys and JSON types of a value. Elements of lists are merged into one, and so are entries that are keyed by
 * identifiers.
 */
export function outline(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [merged(value.map((element) => outline(element)))];
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (openMaps.has(key) || key === 'links') return 'map';
  if (byIdentifier.has(key)) return { '*': merged(Object.values(value).map((element) => outline(element))) };
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, outline(part, name)]));
}

function merged(outlines: readonly unknown[]): unknown {
  const distinct = [...new Map(outlines.map((one) => [JSON.stringify(one), one])).values()];
  return distinct.length === 1
    ? distinct[0]
    : distinct.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
