import type { JsonValue } from '#libs/domain';

/** A stored document in the API's notation: property names in snake_case at every level. */
export function snakeCaseKeys(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(snakeCaseKeys);
  if (typeof value !== 'object' || value === null) return (value ?? null) as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [snakeCase(key), snakeCaseKeys(entry)]));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The canonical lower-case form of any notation that Watcher accepts as a uuid (braces, `urn:uuid:`, no hyphens). Else
 * null.
 */
export function canonicalUuid(text: string): string | null {
  const digits = text
    .replace(/^urn:uuid:/i, '')
    .replaceAll(/[{}-]/g, '')
    .toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(digits)) return null;
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  );
}

/**
 * `str()` of a JSON value in Python's notation. Watcher's fault texts show values this way, and some clients compare
 * parts of those texts.
 */
export function pythonText(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** `repr()` of a JSON value in Python's notation: `None`, `True`, `'text'`, `{'a': 1}`. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([key, entry]) => `${quote(key)}: ${pythonRepr(entry)}`);
    return `{${entries.join(', ')}}`;
  }
  return String(value);
}

/** A text of at most `length` characters, with an ellipsis where it is cut. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Name of the Python type that a JSON value becomes, such as `str` or `dict`. */
export function pythonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return { string: 'str', boolean: 'bool', object: 'dict' }[typeof value as string] ?? 'object';
}

function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return escaped.includes("'") && !escaped.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
}
