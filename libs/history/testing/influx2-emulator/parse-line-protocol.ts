import type { FieldValue, PointStore } from './point-store.ts';

/** Milliseconds in one unit of the `precision` parameter. */
const unitMs: Record<string, number> = { s: 1000, ms: 1, us: 0.001, ns: 0.000001 };

/** Stores every line. @throws Error with the number of the invalid line */
export function storeLines(store: PointStore, body: string, precision: string): void {
  const perUnit = unitMs[precision];
  if (perUnit === undefined) throw new Error(`invalid precision ${precision}`);
  for (const [index, line] of body.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [key = '', ...rest] = splitAt(line, ' ');
    const [fields = '', time = ''] = splitAt(rest.join(' '), ' ', { quotes: true });
    const [measurement = '', ...tagTexts] = splitAt(key, ',');
    const at = Number(time) * perUnit;
    if (measurement === '' || fields === '' || time === '' || !Number.isFinite(at)) {
      throw new Error(`unable to parse line ${index + 1}: ${line}`);
    }
    const tags = Object.fromEntries(tagTexts.map(splitPair));
    for (const field of splitAt(fields, ',', { quotes: true })) {
      const [name, text] = splitPair(field);
      store.add(unescaped(measurement), tags, name, Math.floor(at), parseValue(text, line));
    }
  }
}

/** Splits at each separator that is neither escaped nor, if `quotes` is set, in a quoted field value. */
function splitAt(text: string, separator: string, options: { quotes?: boolean } = {}): string[] {
  const parts: string[] = [];
  let part = '';
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\') {
      part += character + text.charAt(index + 1);
      index += 1;
    } else if (character === separator && !quoted) {
      parts.push(part);
      part = '';
    } else {
      if (character === '"' && options.quotes) quoted = !quoted;
      part += character;
    }
  }
  return [...parts, part];
}

function splitPair(text: string): [string, string] {
  const [name = '', ...rest] = splitAt(text, '=');
  return [unescaped(name), unescaped(rest.join('='))];
}

function unescaped(text: string): string {
  return text.replace(/\\([,= ])/g, '$1');
}

function parseValue(text: string, line: string): FieldValue {
  if (/^-?\d+i$/.test(text)) return { type: 'long', value: Number(text.slice(0, -1)) };
  if (/^".*"$/s.test(text)) return { type: 'string', value: text.slice(1, -1).replace(/\\(["\\])/g, '$1') };
  if (/^(t|true|f|false)$/i.test(text)) return { type: 'boolean', value: text.toLowerCase().startsWith('t') };
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) throw new Error(`invalid field value in ${line}`);
  return { type: 'double', value };
}
