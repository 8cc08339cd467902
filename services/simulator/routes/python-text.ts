/**
 * A JSON value in Python's notation, as in the messages of Nova's schemas: `{'host': 'a', 'force': True}`. Strings have
 * quotes only inside other values, unless `quoted`.
 */
export function pythonText(value: unknown, quoted = false): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted ? `'${value}'` : value;
  if (Array.isArray(value)) return `[${value.map((element) => pythonText(element, true)).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).map(([name, part]) => `'${name}': ${pythonText(part, true)}`);
  return `{${entries.join(', ')}}`;
}

/** The message of Nova's schemas about one field of a request. */
export function schemaMessage(field: string, value: unknown, reason: string): string {
  return `Invalid input for field/attribute ${field}. Value: ${pythonText(value)}. ${reason}`;
}

/** Values that Nova's schemas accept as a boolean, in their notation. */
export const booleanWords =
  "True, 'True', 'TRUE', 'true', '1', 'ON', 'On', 'on', 'YES', 'Yes', 'yes', " +
  "False, 'False', 'FALSE', 'false', '0', 'OFF', 'Off', 'off', 'NO', 'No', 'no'";

/** Whether Nova's schemas accept the value as a boolean. */
export function isBooleanWord(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && booleanWords.includes(`'${value}'`));
}
