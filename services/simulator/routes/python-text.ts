/**
 * A JSON value as Python prints it, as in the messages of Nova's schemas: `{'host': 'a', 'force': True}`. Strings have
 * quotes inside other values only, unless `quoted`.
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

/** The message of Nova's schemas for one field of a request. */
export function schemaMessage(field: string, value: unknown, reason: string): string {
  return `Invalid input for field/attribute ${field}. Value: ${pythonText(value)}. ${reason}`;
}

/** Values that Nova's schemas take for a boolean, as they print them. */
export const booleanWords =
  "True, 'True', 'TRUE', 'true', '1', 'ON', 'On', 'on', 'YES', 'Yes', 'yes', " +
  "False, 'False', 'FALSE', 'false', '0', 'OFF', 'Off', 'off', 'NO', 'No', 'no'";

/** Whether Nova's schemas take the value for a boolean. */
export function isBooleanWord(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && booleanWords.includes(`'${value}'`));
}
