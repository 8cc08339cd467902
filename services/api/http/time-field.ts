import type { JsonObject } from '#libs/domain';
import { textField, unconvertible } from './body-fields.ts';
import { badRequest } from './fault.ts';
import { parseTimestamp } from './timestamps.ts';

/** @throws ApiFault 400 when the end is not after the start. */
export function checkTimes(startTime: Date | null, endTime: Date | null): void {
  if (startTime && endTime && endTime <= startTime) throw badRequest('end_time must be later than start_time');
}

/** A date attribute; null when absent or null. */
export function timeField(body: JsonObject, name: string, owner?: string): Date | null {
  const text = textField(body, name);
  if (text === null) return null;
  const time = parseTimestamp(text);
  if (time === null) throw unconvertible(body, name, `Unknown string format: ${text}`, owner);
  return time;
}
