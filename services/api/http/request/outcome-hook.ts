import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Logger, messageOf } from '#libs/domain';

/** Called once for each request, with the status that the handler has sent or would have sent. */
type OutcomeListener = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** Reports the outcome of every request, also when its client left before the response. */
export interface Outcomes {
  /** Adds a listener. Listeners are called in this order. An error of one is logged and does not stop the others. */
  add(listener: OutcomeListener): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the client closed its connection before it had the whole response. */
    clientLeft: boolean;
  }
}

/** A request without an outcome. */
interface Unfinished {
  /** Whether the handler has sent its response, so that its status is final. */
  isSent: boolean;
  clientLeft(): void;
}

/**
 * Installs the hooks. Fastify's `onResponse` is not called for a response that cannot be written: a client that hangs
 * up would leave no trace of its change.
 */
export function installOutcomes(app: FastifyInstance, logger: Logger): Outcomes {
  const listeners: OutcomeListener[] = [];
  const unfinished = new WeakMap<FastifyRequest, Unfinished>();
  const watched = new WeakMap<Socket, Set<Unfinished>>();

  async function finish(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const known = unfinished.get(request);
    if (!known) return;
    unfinished.delete(request);
    watched.get(request.raw.socket)?.delete(known);
    for (const listen of listeners) {
      try {
        await listen(request, reply);
      } catch (error) {
        logger.error({ requestId: request.id, reason: messageOf(error) }, 'cannot record outcome of request');
      }
    }
  }

  /** One listener for each connection: a connection serves many requests. */
  function requestsOf(socket: Socket): Set<Unfinished> {
    const known = watched.get(socket);
    if (known) return known;
    const requests = new Set<Unfinished>();
    watched.set(socket, requests);
    socket.once('close', () => {
      for (const request of [...requests]) request.clientLeft();
    });
    return requests;
  }

  app.decorateRequest('clientLeft', false);
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const own: Unfinished = {
      isSent: false,
      clientLeft() {
        request.clientLeft = true;
        // A handler that still runs decides the outcome. A stream has no other end than this.
        if (own.isSent || reply.sent) void finish(request, reply);
      },
    };
    unfinished.set(request, own);
    requestsOf(socket).add(own);
    if (socket.destroyed) own.clientLeft();
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const own = unfinished.get(request);
    if (own) own.isSent = true;
    if (own && request.clientLeft) void finish(request, reply);
    done(null, payload);
  });
  app.addHook('onResponse', finish);
  return { add: (listener) => void listeners.push(listener) };
}
