import type { LogPosition } from '#libs/store';
import { badRequest } from '../http/fault.ts';
import { streamFault } from './stream-faults.ts';

/** A place in the log as clients see it: `<epoch>:<revno>`. */
export function placeText({ epoch, revno }: LogPosition): string {
  return `${epoch}:${revno}`;
}

/** @throws ApiFault 400 when the text is no place. */
export function readPlace(name: string, text: string): LogPosition {
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(text.trim());
  if (!match) throw badRequest(`${name}: <epoch>:<revno> is expected, not ${text.slice(0, 80)}`);
  return { epoch: Number(match[1]), revno: Number(match[2]) };
}

/** @throws ApiFault 410 `resync_required` when not all changes after `place` are kept, or it is of another epoch. */
export function requireKept(place: LogPosition, log: { epoch: number; oldest: number; newest: number }): void {
  const isKept = place.epoch === log.epoch && place.revno >= log.oldest - 1 && place.revno <= log.newest;
  if (!isKept) throw streamFault('resync_required');
}
