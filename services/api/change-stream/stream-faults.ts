import type { LogPosition } from '#libs/store';
import { ApiFault, badRequest } from '../http/faults/fault.ts';

/** Limits of the change stream. The environment of the API describes them. */
export interface StreamLimits {
  /** Streams of one user in this process, and watchers of one user in the deployment. */
  perUser: number;
  /** Seconds after which a stream ends. Its client reconnects, and its token is checked again. */
  maxStreamSeconds: number;
  /** Seconds between heartbeats. */
  heartbeatSeconds: number;
  /** Maximum backlog of a slow client in bytes, before it is dropped. */
  maxWaitingBytes: number;
}

/** Why a client has to act. Texts of refusals start with this code. */
export type StreamCode = 'resync_required' | 'stream_reset' | 'watcher_stopped' | 'too_many_watchers';

const statuses: Record<StreamCode, number> = {
  resync_required: 410,
  watcher_stopped: 410,
  too_many_watchers: 429,
  stream_reset: 503,
};

/** Human-readable texts by code. */
export const streamTexts: Record<StreamCode, string> = {
  resync_required: 'the changes since that position are no longer kept; start again with the full state',
  stream_reset: 'the stream was interrupted; continue from the last position',
  watcher_stopped: 'the watcher was stopped or not used for too long',
  too_many_watchers: 'the user has as many streams or watchers as are allowed',
};

/** A refusal whose text starts with `code`. */
export function streamFault(code: StreamCode): ApiFault {
  return new ApiFault(statuses[code], `${code}: ${streamTexts[code]}`);
}

/** A position in the log as clients see it: `<epoch>:<revno>`. */
export function placeText({ epoch, revno }: LogPosition): string {
  return `${epoch}:${revno}`;
}

/** @throws ApiFault 400 when the text is not a position. */
export function readPlace(name: string, text: string): LogPosition {
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(text.trim());
  if (!match) throw badRequest(`${name}: <epoch>:<revno> is expected, not ${text.slice(0, 80)}`);
  return { epoch: Number(match[1]), revno: Number(match[2]) };
}

/** @throws ApiFault 410 `resync_required` when changes after `place` were pruned, or it has another epoch. */
export function requireKept(place: LogPosition, log: { epoch: number; oldest: number; newest: number }): void {
  const isKept = place.epoch === log.epoch && place.revno >= log.oldest - 1 && place.revno <= log.newest;
  if (!isKept) throw streamFault('resync_required');
}
