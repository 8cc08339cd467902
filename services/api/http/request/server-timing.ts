import type { FastifyInstance } from 'fastify';
import type { Clock, Logger } from '#libs/domain';
import type { Outcomes } from './outcome-hook.ts';

/** Requests that take longer than this are logged. */
const defaultSlowMs = 5_000;

/** Routes that stay open on purpose: change streams and long polls. */
const patient = /^\/v1\/watch(ers\/[^/]+\/next)?$/;

/** Name of the header with the server's time. Its value is ISO 8601 in UTC with milliseconds. */
export const timeHeader = 'x-vigil-time';

/** The value of `X-Vigil-Time`. Clients with a wrong clock use it as their reference. */
export const timeText = (clock: Clock): string => new Date(clock.now()).toISOString();

/**
 * Adds the duration (`Server-Timing: total;dur=<ms>`) and the current time (`X-Vigil-Time`) to each response, and logs
 * requests that took longer than `slowMs` (5 s).
 */
export function installServerTiming(
  app: FastifyInstance,
  outcomes: Outcomes,
  { logger, clock }: { logger: Logger; clock: Clock },
  slowMs = defaultSlowMs,
): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.header(timeHeader, timeText(clock));
    reply.header('Server-Timing', `total;dur=${reply.elapsedTime.toFixed(1)}`);
    return payload;
  });
  outcomes.add((request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    if (reply.elapsedTime <= slowMs || patient.test(route)) return;
    logger.warn(
      {
        requestId: request.id,
        method: request.method,
        route,
        url: request.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'slow request',
    );
  });
}
