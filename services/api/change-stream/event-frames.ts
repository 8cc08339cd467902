import type { LogPosition } from '#libs/store';
import { placeText, type StreamCode, streamTexts } from './stream-faults.ts';

/** Content of one event or one response of `next`. `deltas` are JSON texts. */
export interface DeltaReply extends LogPosition {
  deltas: readonly string[];
  /** Whether the state is complete only after a later event. */
  more: boolean;
}

/** The JSON of a reply. */
export function replyText({ epoch, revno, deltas, more }: DeltaReply): string {
  return `{"epoch":${epoch},"revno":${revno},"deltas":[${deltas.join(',')}],"more":${more}}`;
}

/** An event. Only a complete state has an id, so a client never resumes in the middle of one. */
export function deltaFrame(event: 'snapshot' | 'deltas', reply: DeltaReply): Buffer {
  const id = reply.more ? '' : `id: ${placeText(reply)}\n`;
  return Buffer.from(`${id}event: ${event}\ndata: ${replyText(reply)}\n\n`);
}

/** The last event of a stream that ends early. */
export function resetFrame(code: StreamCode): Buffer {
  return Buffer.from(`event: reset\ndata: ${JSON.stringify({ code, message: streamTexts[code] })}\n\n`);
}
