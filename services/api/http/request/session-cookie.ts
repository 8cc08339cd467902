import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

const cookieName = 'vigil_session';
const idPattern = /^[\w-]{43}$/;

/** The session id of the request's cookie. Null when there is no well-formed one. */
export function sessionIdOf(request: FastifyRequest): string | null {
  const id = request.cookies[cookieName];
  return id !== undefined && idPattern.test(id) ? id : null;
}

const webSsoCookieName = 'vigil_websso';
const webSsoPattern = /^(s?)\.([\w-]{32})$/;
/** Time limit for the sign-in at the identity provider. */
const webSsoSeconds = 900;

/** Whether this browser started a sign-in at Keystone, and whether over https. Null when it did not. */
export function webSsoCookieOf(request: FastifyRequest): { value: string; isSecure: boolean } | null {
  const [, secure, value] = webSsoPattern.exec(request.cookies[webSsoCookieName] ?? '') ?? [];
  return value === undefined ? null : { value, isSecure: secure === 's' };
}

/**
 * Remembers a started sign-in. An empty value forgets it. Over https the cookie is sent with the form that Keystone's
 * page posts, otherwise from the same host only.
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
 * Sets the session cookie for `seconds`. An empty id deletes it. The cookie is Secure wherever clients use https: by
 * configuration, by the proxy, or by the browser's `Origin` (`isSecure`) when the API does not know of TLS in front of
 * it.
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
