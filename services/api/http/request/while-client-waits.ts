import type { FastifyRequest } from 'fastify';
import { ApiFault } from '../faults/fault.ts';

/**
 * Does `work` with a signal that fires when the client closes its connection. Its reason is an ApiFault 408, which only
 * logs and the audit log show.
 */
export async function whileClientWaits<Result>(
  { raw, clientLeft }: Pick<FastifyRequest, 'raw' | 'clientLeft'>,
  work: (left: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const leaving = new AbortController();
  const leave = () => leaving.abort(new ApiFault(408, 'The client left before its response was ready'));
  if (clientLeft) leave();
  else raw.socket?.once('close', leave);
  try {
    return await work(leaving.signal);
  } finally {
    raw.socket?.off('close', leave);
  }
}
