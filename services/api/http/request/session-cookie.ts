import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

const cookieName = 'vigil_session';
const idPattern = /^[\w-]{43}$/;

/** The session id of the request's cookie. Null when there is none that could be one of ours. */
export function sessionIdOf(request: FastifyRequest): string | null {
  const id = request.cookies[cookieName];
  return id !== undefined && idPattern.test(id) ? id : null;
}

const webSsoCookieName = 'vigil_websso';
const webSsoPattern = /^(s?)\.([\w-]{32})$/;
/** So long a person may take at the identity provider. */
const webSsoSeconds = 900;

/** That this browser has asked to sign in at Keystone, and whether by https. Null when it has not. */
export function webSsoCookieOf(request: FastifyRequest): { value: string; isSecure: boolean } | null {
  const [, secure, value] = webSsoPattern.exec(request.cookies[webSsoCookieName] ?? '') ?? [];
  return value === undefined ? null : { value, isSecure: secure === 's' };
}

/**
 * Remembers that. An empty value forgets it. By https it comes along with what Keystone's page posts, else from the
 * same host only.
 */
export function setWebSsoCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { value, isSecure }: { value: string; isSecure: boolean },
): void {
  reply.setCookie(webSsoCookieName, value === '' ? '' : `${isSecure ? 's' : ''}.${value}`, {
    path: `${new URL(request.base.app).pathname.replace(/\/+$/, '')}/dashboard/session/websso`,
    httpOnly: true,
    sameSite: isSecure ? 'none' : 'lax',
    secure: isSecure,
    maxAge: value === '' ? 0 : webSsoSeconds,
  });
}

/**
 * Gives the browser a session for `seconds`. An empty id takes it away. Secure wherever the API is reached by https: as
 * the configuration or the proxy says, or the browser itself by its `Origin` (`isSecure`), when nobody told the API of
 * the TLS in front of it.
 */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  seconds: number,
  isSecure = request.headers.origin?.startsWith('https://') ?? false,
): void {
  const base = new URL(request.base.app);
  reply.setCookie(cookieName, id, {
    path: `${base.pathname.replace(/\/+$/, '')}/`,
    httpOnly: true,
    sameSite: 'strict',
    secure: base.protocol === 'https:' || isSecure,
    maxAge: Math.floor(seconds),
  });
}
