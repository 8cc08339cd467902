import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** How connections are kept alive through firewalls, and how soon a peer that vanished is noticed; milliseconds. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Ends a connection over which nothing has passed for `limitMs`: the server has stopped in mid sentence or the network
 * swallows what is sent. What waits for an answer on it rejects with ETIMEDOUT. For connections on which that can not be
 * legitimate: every statement has a lower limit in the server, and idle ones are closed or asked something before.
 */
export function limitSilence(client: ClientBase, limitMs: number, onGivenUp: () => void = () => undefined): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(limitMs, () => {
    onGivenUp();
    const text = `PostgreSQL: no answer within ${limitMs / 1000} s, the connection is given up`;
    stream.destroy(Object.assign(new Error(text), { code: 'ETIMEDOUT' }));
  });
}
