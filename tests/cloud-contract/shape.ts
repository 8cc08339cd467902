/** A shape in the language that the README of this folder describes. */
export type Shape = string | Shape[] | { [key: string]: Shape };

/** Differences of `value` from `shape`, one line per place. Empty when it fits. */
export function shapeFaults(shape: Shape, value: unknown, at = 'answer'): string[] {
  if (typeof shape === 'string') return typeFaults(shape, value, at);
  if (Array.isArray(shape)) return listFaults(shape, value, at);
  const choices = shape['|'];
  if (Array.isArray(choices)) return choiceFaults(choices, value, at);
  return objectFaults(shape, value, at);
}

function typeFaults(shape: string, value: unknown, at: string): string[] {
  const wanted = shape.split('|');
  return wanted.includes('any') || wanted.includes(jsonType(value))
    ? []
    : [`${at} is ${jsonType(value)}, not ${shape}`];
}

function listFaults(shape: Shape[], value: unknown, at: string): string[] {
  const [element] = shape;
  if (!Array.isArray(value)) return [`${at} is ${jsonType(value)}, not a list`];
  if (element === undefined) return [];
  return value.flatMap((item, index) => shapeFaults(element, item, `${at}[${index}]`));
}

function choiceFaults(choices: Shape[], value: unknown, at: string): string[] {
  const faults = choices.map((choice) => shapeFaults(choice, value, at));
  return faults.some((found) => found.length === 0) ? [] : (faults.at(-1) ?? []);
}

function objectFaults(shape: { [key: string]: Shape }, value: unknown, at: string): string[] {
  if (jsonType(value) !== 'object') return [`${at} is ${jsonType(value)}, not an object`];
  const found = new Map(Object.entries(value as object));
  const faults: string[] = [];
  const known = new Set<string>();
  for (const [name, inner] of Object.entries(shape)) {
    if (name === '*' || name === '...') continue;
    const key = name.endsWith('?') ? name.slice(0, -1) : name;
    known.add(key);
    if (found.has(key)) faults.push(...shapeFaults(inner, found.get(key), `${at}.${key}`));
    else if (key === name) faults.push(`${at}.${key} is missing`);
  }
  for (const [key, item] of found) {
    if (!known.has(key)) faults.push(...furtherKeyFaults(shape, item, `${at}.${key}`));
  }
  return faults;
}

function furtherKeyFaults(shape: { [key: string]: Shape }, value: unknown, at: string): string[] {
  const rest = shape['*'] ?? shape['...'];
  return rest === undefined ? [`${at} is not expected`] : shapeFaults(rest, value, at);
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return value === undefined ? 'missing' : typeof value;
}
