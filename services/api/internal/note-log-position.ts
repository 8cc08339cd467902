import type { FastifyReply } from 'fastify';
import { placeText } from '../change-stream/stream-faults.ts';
import type { InternalDeps } from './internal-deps.ts';

/** Header with a position of the change stream, `<epoch>:<revno>`. */
const changeHeader = 'X-Vigil-Change';

/**
 * Adds the position up to which a response includes all changes. A client whose stream has the same position need not
 * read again. Call it before the first read of the database.
 */
export function noteLogPosition(reply: FastifyReply, { logPosition }: Pick<InternalDeps, 'logPosition'>): void {
  const position = logPosition();
  if (position) void reply.header(changeHeader, placeText(position));
}
