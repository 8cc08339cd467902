import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallOptions } from '#libs/messaging';
import { createSemaphore } from '#libs/service-kit';
import { ApiFault } from '../../../http/faults/fault.ts';
import { whileClientWaits } from '../../../http/request/while-client-waits.ts';

/** Computations of one user that run or wait. */
const maxPerUser = 5;
const retryAfterSeconds = 10;

/** Runs the computations of a user in a project one by one, such as previews and what-if questions. */
export interface PreviewTurns {
  /**
   * Runs `work` when the user's earlier computations have ended. With its `options`, the decision engine also gives
   * turns to users, and ends the computation when the client leaves.
   * @throws ApiFault 429 when five computations of the user run or wait, 408 when the client left
   */
  run<Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (options: Required<Pick<CallOptions, 'requester' | 'cancel'>>) => Promise<Result>,
  ): Promise<Result>;
}

interface PreviewTurnsOptions {
  /** Names the computations in refusals. */
  what?: string;
  /** Simultaneous computations of this process. Users take turns. Default: no limit. */
  concurrency?: number;
}

/**
 * Makes turns for this process, so that one user's computations do not occupy the decision engine or the database.
 */
export function createPreviewTurns({
  what = 'previews and what-if questions',
  concurrency = Number.POSITIVE_INFINITY,
}: PreviewTurnsOptions = {}): PreviewTurns {
  const places = createSemaphore(concurrency);
  const users = new Map<string, { turn: ReturnType<typeof createSemaphore>; count: number }>();
  return {
    async run(request, reply, work) {
      const { projectId, userId } = request.caller;
      const key = JSON.stringify([projectId, userId]);
      const user = users.get(key) ?? { turn: createSemaphore(1), count: 0 };
      if (user.count >= maxPerUser) {
        reply.header('Retry-After', String(retryAfterSeconds));
        throw new ApiFault(429, `At most ${maxPerUser} ${what} of one user run or wait at once; try again later`);
      }
      users.set(key, user);
      user.count += 1;
      try {
        return await whileClientWaits(request, (signal) => {
          const compute = () => work({ requester: key, cancel: { id: request.id, signal } });
          return user.turn.run(() => places.run(compute, signal, key), signal);
        });
      } finally {
        user.count -= 1;
        if (user.count === 0) users.delete(key);
      }
    },
  };
}
