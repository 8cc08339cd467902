import { OpenStackError } from '../errors.ts';

/**
 * Reads the fields of one JSON object of a response. Errors name the exact field. The `…Or` and `optional…`
 * variants return the default for a missing field or `null`. A value of a wrong type is always an error.
 */
export interface FieldReader {
  has(key: string): boolean;
  text(key: string): string;
  textOr(key: string, fallback: string): string;
  /** Null when missing, null or empty. */
  optionalText(key: string): string | null;
  /** Numbers, and texts that are numbers. */
  number(key: string): number;
  numberOr(key: string, fallback: number): number;
  optionalNumber(key: string): number | null;
  /** Booleans, and `"true"` and `"false"` in any case. */
  booleanOr(key: string, fallback: boolean): boolean;
  object(key: string): FieldReader;
  optionalObject(key: string): FieldReader | null;
  /** Objects of a list. */
  list(key: string): FieldReader[];
  listOr(key: string): FieldReader[];
  /** Texts of a list. Empty when missing. */
  texts(key: string): string[];
  /** A map of texts. Numbers and booleans become texts. Empty when missing. */
  textMap(key: string): Record<string, string>;
  /** The fields of the object itself that are texts. */
  ownTexts(): Record<string, string>;
  /** The entries of a map of objects. */
  entries(key: string): [string, FieldReader][];
  /** The entries of a map of numbers. */
  numberMap(key: string): Record<string, number>;
  /** The raw value. */
  raw(key: string): unknown;
}

/** Origin of a response. */
export interface ResponseOrigin {
  service: string;
  request: string;
}

/** A reader of `value`. `at` is its place in the response. Throws OpenStackError when it is not an object. */
export function createFieldReader(value: unknown, origin: ResponseOrigin, at = ''): FieldReader {
  if (!isObject(value)) throw unexpected(origin, at === '' ? 'the answer' : at, 'an object', value);
  const fields = value;
  const where = (key: string) => (at === '' ? key : `${at}.${key}`);
  const wrong = (key: string, wanted: string) => unexpected(origin, where(key), wanted, fields[key]);
  const missing = (key: string) => fields[key] === undefined || fields[key] === null;

  function text(key: string): string {
    const found = fields[key];
    if (typeof found === 'string') return found;
    if (typeof found === 'number') return String(found);
    throw wrong(key, 'a text');
  }

  function number(key: string): number {
    const found = fields[key];
    if (typeof found === 'number') return found;
    if (typeof found === 'string' && found.trim() !== '' && Number.isFinite(Number(found))) return Number(found);
    throw wrong(key, 'a number');
  }

  function list(key: string): FieldReader[] {
    const found = fields[key];
    if (!Array.isArray(found)) throw wrong(key, 'a list');
    return found.map((item, index) => createFieldReader(item, origin, `${where(key)}[${index}]`));
  }

  function mapOf(key: string): [string, unknown][] {
    const found = fields[key];
    if (found === undefined || found === null) return [];
    if (!isObject(found)) throw wrong(key, 'an object');
    return Object.entries(found);
  }

  return {
    has: (key) => !missing(key),
    text,
    textOr: (key, fallback) => (missing(key) ? fallback : text(key)),
    optionalText: (key) => (missing(key) || fields[key] === '' ? null : text(key)),
    number,
    numberOr: (key, fallback) => (missing(key) || fields[key] === '' ? fallback : number(key)),
    optionalNumber: (key) => (missing(key) ? null : number(key)),
    booleanOr(key, fallback) {
      const found = fields[key];
      if (found === undefined || found === null) return fallback;
      const flag = typeof found === 'string' ? found.toLowerCase() : found;
      if (flag === true || flag === 'true') return true;
      if (flag === false || flag === 'false') return false;
      throw wrong(key, 'true or false');
    },
    object: (key) => createFieldReader(fields[key], origin, where(key)),
    optionalObject: (key) => (missing(key) ? null : createFieldReader(fields[key], origin, where(key))),
    list,
    listOr: (key) => (missing(key) ? [] : list(key)),
    texts(key) {
      const found = fields[key];
      if (found === undefined || found === null) return [];
      if (Array.isArray(found) && found.every((item) => typeof item === 'string')) return found;
      throw wrong(key, 'a list of texts');
    },
    ownTexts: () =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([name, item]): [string, string][] =>
          typeof item === 'string' ? [[name, item]] : [],
        ),
      ),
    textMap: (key) => Object.fromEntries(mapOf(key).map(([name, item]) => [name, String(item)])),
    entries: (key) =>
      mapOf(key).map(([name, item]) => [name, createFieldReader(item, origin, `${where(key)}.${name}`)]),
    numberMap: (key) =>
      Object.fromEntries(
        mapOf(key).map(([name, item]) => {
          if (typeof item !== 'number') throw unexpected(origin, `${where(key)}.${name}`, 'a number', item);
          return [name, item];
        }),
      ),
    raw: (key) => fields[key],
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unexpected(origin: ResponseOrigin, at: string, wanted: string, found: unknown): OpenStackError {
  const what = found === undefined ? 'missing' : (JSON.stringify(found) ?? 'unreadable').slice(0, 80);
  const detail = `unexpected response of ${origin.service} to ${origin.request}: ${at} is ${what}, not ${wanted}`;
  return new OpenStackError(origin.service, origin.request, 200, detail);
}
