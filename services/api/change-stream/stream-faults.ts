import { ApiFault } from '../http/fault.ts';

/** Why a client of the stream has to do something; texts of refusals begin with it. */
export type StreamCode = 'resync_required' | 'stream_reset' | 'watcher_stopped' | 'too_many_watchers';

const statuses: Record<StreamCode, number> = {
  resync_required: 410,
  watcher_stopped: 410,
  too_many_watchers: 429,
  stream_reset: 503,
};

/** Words for people, by code. */
export const streamTexts: Record<StreamCode, string> = {
  resync_required: 'the changes since that place are no longer kept; begin again with the full state',
  stream_reset: 'the stream was interrupted; go on from the last place',
  watcher_stopped: 'the watcher was stopped or not used for too long',
  too_many_watchers: 'the user has as many streams or watchers as are allowed',
};

/** A refusal whose text begins with `code`. */
export function streamFault(code: StreamCode): ApiFault {
  return new ApiFault(statuses[code], `${code}: ${streamTexts[code]}`);
}
