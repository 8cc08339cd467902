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
  return new Fields(value, origin, at);
}

/** A class: listings of large clouds make a reader for each of some hundred thousand objects. */
class Fields implements FieldReader {
  private readonly fields: Record<string, unknown>;
  private readonly origin: ResponseOrigin;
  private readonly at: string;

  constructor(value: unknown, origin: ResponseOrigin, at: string) {
    if (!isObject(value)) throw unexpected(origin, at === '' ? 'the answer' : at, 'an object', value);
    this.fields = value;
    this.origin = origin;
    this.at = at;
  }

  has(key: string): boolean {
    const found = this.fields[key];
    return found !== undefined && found !== null;
  }

  text(key: string): string {
    const found = this.fields[key];
    if (typeof found === 'string') return found;
    if (typeof found === 'number') return String(found);
    throw this.wrong(key, 'a text');
  }

  textOr(key: string, fallback: string): string {
    return this.has(key) ? this.text(key) : fallback;
  }

  optionalText(key: string): string | null {
    return this.has(key) && this.fields[key] !== '' ? this.text(key) : null;
  }

  number(key: string): number {
    const found = this.fields[key];
    if (typeof found === 'number') return found;
    if (typeof found === 'string' && found.trim() !== '' && Number.isFinite(Number(found))) return Number(found);
    throw this.wrong(key, 'a number');
  }

  numberOr(key: string, fallback: number): number {
    return this.has(key) && this.fields[key] !== '' ? this.number(key) : fallback;
  }

  optionalNumber(key: string): number | null {
    return this.has(key) ? this.number(key) : null;
  }

  booleanOr(key: string, fallback: boolean): boolean {
    const found = this.fields[key];
    if (found === undefined || found === null) return fallback;
    const flag = typeof found === 'string' ? found.toLowerCase() : found;
    if (flag === true || flag === 'true') return true;
    if (flag === false || flag === 'false') return false;
    throw this.wrong(key, 'true or false');
  }

  object(key: string): FieldReader {
    return new Fields(this.fields[key], this.origin, this.where(key));
  }

  optionalObject(key: string): FieldReader | null {
    return this.has(key) ? this.object(key) : null;
  }

  list(key: string): FieldReader[] {
    const found = this.fields[key];
    if (!Array.isArray(found)) throw this.wrong(key, 'a list');
    const place = this.where(key);
    return found.map((item, index) => new Fields(item, this.origin, `${place}[${index}]`));
  }

  listOr(key: string): FieldReader[] {
    return this.has(key) ? this.list(key) : [];
  }

  texts(key: string): string[] {
    const found = this.fields[key];
    if (found === undefined || found === null) return [];
    if (Array.isArray(found) && found.every((item) => typeof item === 'string')) return found;
    throw this.wrong(key, 'a list of texts');
  }

  ownTexts(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  }

  textMap(key: string): Record<string, string> {
    return Object.fromEntries(this.mapOf(key).map(([name, item]) => [name, String(item)]));
  }

  entries(key: string): [string, FieldReader][] {
    const place = this.where(key);
    return this.mapOf(key).map(([name, item]) => [name, new Fields(item, this.origin, `${place}.${name}`)]);
  }

  numberMap(key: string): Record<string, number> {
    return Object.fromEntries(
      this.mapOf(key).map(([name, item]) => {
        if (typeof item !== 'number') throw unexpected(this.origin, `${this.where(key)}.${name}`, 'a number', item);
        return [name, item];
      }),
    );
  }

  raw(key: string): unknown {
    return this.fields[key];
  }

  private mapOf(key: string): [string, unknown][] {
    const found = this.fields[key];
    if (found === undefined || found === null) return [];
    if (!isObject(found)) throw this.wrong(key, 'an object');
    return Object.entries(found);
  }

  private where(key: string): string {
    return this.at === '' ? key : `${this.at}.${key}`;
  }

  private wrong(key: string, wanted: string): OpenStackError {
    return unexpected(this.origin, this.where(key), wanted, this.fields[key]);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unexpected(origin: ResponseOrigin, at: string, wanted: string, found: unknown): OpenStackError {
  const what = found === undefined ? 'missing' : (JSON.stringify(found) ?? 'unreadable').slice(0, 80);
  const detail = `unexpected response of ${origin.service} to ${origin.request}: ${at} is ${what}, not ${wanted}`;
  return new OpenStackError(origin.service, origin.request, 200, detail);
}
