import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

const cookieName = 'vigil_session';
const idPattern = /^[\w-]{43}$/;

/** The session id of the request's cookie; null when there is none that could be one of ours. */
export function sessionIdOf(request: FastifyRequest): string | null {
  const id = request.cookies[cookieName];
  return id !== undefined && idPattern.test(id) ? id : null;
}

/**
 * Gives the browser a session for `seconds`; an empty id takes it away. Secure wherever the API is reached by https: as the
 * configuration or the proxy says, or the browser itself by its `Origin`, when nobody told the API of the TLS in front of it.
 */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, id: string, seconds: number): void {
  const base = new URL(request.base.app);
  reply.setCookie(cookieName, id, {
    path: `${base.pathname.replace(/\/+$/, '')}/`,
    httpOnly: true,
    sameSite: 'strict',
    secure: base.protocol === 'https:' || (request.headers.origin?.startsWith('https://') ?? false),
    maxAge: Math.floor(seconds),
  });
}
