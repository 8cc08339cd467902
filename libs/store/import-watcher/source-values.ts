import { ImportError } from '../errors.ts';
import type { SourceRow } from './read-dump.ts';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the values of one row. Every fault names table, row and column. */
export function sourceValues(table: string, row: SourceRow) {
  const fail = (column: string, reason: string) =>
    new ImportError(table, row.id ?? row.uuid ?? '?', `${column}: ${reason}`);
  const text = (column: string) => row[column] ?? null;
  return {
    fail,
    text,
    required(column: string): string {
      const value = text(column);
      if (value === null) throw fail(column, 'there is no value');
      return value;
    },
    uuid(): string {
      const value = text('uuid');
      if (value === null || !uuidPattern.test(value)) throw fail('uuid', `"${value ?? ''}" is not a uuid`);
      return value;
    },
    /** Watcher's times are UTC without a zone. */
    time(column: string): string | null {
      const value = text(column);
      if (value === null) return null;
      const time = new Date(`${value.replace(' ', 'T').replace(/([+-]\d\d(:?\d\d)?|Z)$/, '')}Z`);
      if (Number.isNaN(time.getTime())) throw fail(column, `"${value}" is not a time`);
      return time.toISOString();
    },
    /** JSON text, unchanged. `fallback` for none. */
    json(column: string, fallback: '{}' | '[]'): string {
      const value = text(column);
      if (value === null || value === '' || value === 'null') return fallback;
      try {
        JSON.parse(value);
      } catch {
        throw fail(column, 'it is not JSON');
      }
      return value;
    },
    flag: (column: string) => ['1', 't', 'true'].includes(text(column) ?? '0'),
    number(column: string): number | null {
      const value = text(column);
      if (value === null) return null;
      if (!Number.isFinite(Number(value))) throw fail(column, `"${value}" is not a number`);
      return Number(value);
    },
  };
}

export type SourceValues = ReturnType<typeof sourceValues>;
