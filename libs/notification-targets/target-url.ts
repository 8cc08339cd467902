import type { NotificationFormat } from '#libs/domain';
import { type AllowedHosts, requireCallable } from './address-rules.ts';

const maxLength = 2_000;
/** A room of the client-server API. The id of the transaction is added for each delivery. */
const matrixPath = /^\/_matrix\/client\/(v3|r0)\/rooms\/[^/]+\/send\/m\.room\.message\/?$/;

/** The URL of a target, and the part of it that may be shown. */
export interface TargetUrl {
  url: string;
  shownUrl: string;
}

/**
 * Checks the URL of a target. The path of Slack's URLs, and every query, are secrets and not shown.
 * @throws Error with the reason, which does not repeat the URL
 */
export function readTargetUrl(text: string, format: NotificationFormat, allowed: AllowedHosts): TargetUrl {
  if (text.length > maxLength) throw new Error(`At most ${maxLength} characters.`);
  if (!URL.canParse(text)) throw new Error('Must be a URL such as https://receiver.example/vigil.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowed.mayUseHttp(url.hostname)))
    throw new Error(
      `Must start with https://. VIGIL_NOTIFICATION_ALLOWED_HOSTS can allow http://${url.hostname || 'host'}.`,
    );
  if (url.username !== '' || url.password !== '')
    throw new Error('Must not hold a user or password; use a bearer token.');
  if (url.hash !== '') throw new Error('Must not have a fragment.');
  requireCallable(url.hostname, allowed);
  if (format === 'matrix' && !matrixPath.test(url.pathname)) {
    const example = '/_matrix/client/v3/rooms/!room:example.org/send/m.room.message';
    throw new Error(`The path of a Matrix room is expected, such as ${example}.`);
  }
  return { url: url.href, shownUrl: shownUrlOf(url, format) };
}

function shownUrlOf({ origin, pathname, search }: URL, format: NotificationFormat): string {
  const path = format === 'slack' && pathname !== '/' ? '/…' : pathname;
  return `${origin}${path}${search === '' ? '' : '?…'}`;
}
