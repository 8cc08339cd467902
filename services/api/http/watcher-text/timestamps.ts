import type { JsonObject } from '#libs/domain';
import { badRequest } from '../faults/fault.ts';
import { textField, unconvertible } from './body-fields.ts';

/** `created_at` and its like: ISO 8601 with offset, six digits of fraction, none when it is zero. */
export function timestamp(date: Date | null): string | null {
  const text = naiveTimestamp(date);
  return text === null ? null : `${text}+00:00`;
}

/** `start_time`, `end_time`, `next_run_time`, `last_seen_up`: UTC, ISO 8601 without offset. */
export function naiveTimestamp(date: Date | null): string | null {
  if (date === null) return null;
  const text = date.toISOString();
  const seconds = text.slice(0, 19);
  const fraction = text.slice(20, 23);
  return fraction === '000' ? seconds : `${seconds}.${fraction}000`;
}

const iso =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?))?\s*(Z|z|[+-]\d{2}:?\d{2}|[+-]\d{2})?$/;
/** The basic format of ISO 8601, which is rewritten into the extended one. */
const basic = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?)?/;

/**
 * Reads an ISO 8601 date or date-time. Without an offset it is in the server's local time zone, as Watcher's clients
 * expect. Null when the text is not a date.
 */
function parseTimestamp(text: string): Date | null {
  const match = iso.exec(extended(text.trim()));
  if (!match) return null;
  const [, day, time, offset] = match;
  // JavaScript parses the 30th of February as the 2nd of March.
  const midnight = new Date(`${day}T00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return null;
  const date = new Date(`${day}T${(time ?? '00:00').replace(',', '.')}${normalOffset(offset)}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

function extended(text: string): string {
  return text.replace(basic, (_all, year, month, day, hour, minute, second) => {
    const time = [hour, minute, second].filter((part) => part !== undefined).join(':');
    return `${year}-${month}-${day}${time === '' ? '' : `T${time}`}`;
  });
}

function normalOffset(offset: string | undefined): string {
  if (offset === undefined) return '';
  if (offset.toUpperCase() === 'Z') return 'Z';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** The three timestamps that detail and single responses of most resources show. */
export function timestampsOf(row: { createdAt: Date; updatedAt: Date | null; deletedAt?: Date | null }) {
  return {
    created_at: timestamp(row.createdAt),
    updated_at: timestamp(row.updatedAt),
    deleted_at: timestamp(row.deletedAt ?? null),
  };
}

/** @throws ApiFault 400 when the end is not after the start. */
export function checkTimes(startTime: Date | null, endTime: Date | null): void {
  if (startTime && endTime && endTime <= startTime) throw badRequest('end_time must be later than start_time');
}

/** A date attribute. Null when absent or null. */
export function timeField(body: JsonObject, name: string, owner?: string): Date | null {
  const text = textField(body, name);
  if (text === null) return null;
  const time = parseTimestamp(text);
  if (time === null) throw unconvertible(body, name, `Unknown string format: ${text}`, owner);
  return time;
}
