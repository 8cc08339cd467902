import { readFileSync } from 'node:fs';
import { messageOf } from '#libs/domain';

/** Reads variables and collects all faults. Empty values count as not set. */
export interface EnvReader {
  faults: string[];
  text(name: string): string | null;
  /** `NAME`, or the trimmed content of the file that `NAME_FILE` names. */
  secret(name: string): string | null;
  /** The value, or a fault and an empty text. */
  required(name: string, why: string): string;
  /** An http(s) URL, or a fault and null. */
  url(name: string): string | null;
  /** Whole content of the file that `name` points to, or a fault and null. */
  fileContent(name: string): string | null;
  /** A whole number within the range, or a fault and the default. */
  integer(name: string, range: { min: number; max: number; default: number }): number;
}

/** Creates a reader for a set of environment variables. */
export function createEnvReader(env: Readonly<Record<string, string | undefined>>): EnvReader {
  const faults: string[] = [];

  function text(name: string): string | null {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  function fileContent(name: string): string | null {
    const path = text(name);
    if (path === null) return null;
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      faults.push(`${name}: cannot read the file (${messageOf(error)})`);
      return null;
    }
  }

  return {
    faults,
    text,
    fileContent,
    secret(name) {
      const direct = env[name];
      const fromFile = fileContent(`${name}_FILE`)?.trim();
      if (direct !== undefined && direct !== '') {
        if (fromFile !== undefined) faults.push(`${name}: set either it or ${name}_FILE, not both`);
        return direct;
      }
      if (fromFile === '') faults.push(`${name}_FILE: the file is empty`);
      return fromFile === undefined || fromFile === '' ? null : fromFile;
    },
    required(name, why) {
      const value = text(name);
      if (value === null) faults.push(`${name}: not set (${why})`);
      return value ?? '';
    },
    url(name) {
      const value = text(name);
      if (value === null) return null;
      if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/+$/, '');
      faults.push(`${name}: ${JSON.stringify(value)} is not an http or https URL`);
      return null;
    },
    integer(name, range) {
      const value = text(name);
      if (value === null) return range.default;
      const number = Number(value);
      if (Number.isInteger(number) && number >= range.min && number <= range.max) return number;
      faults.push(`${name}: ${JSON.stringify(value)} is not a whole number from ${range.min} to ${range.max}`);
      return range.default;
    },
  };
}
