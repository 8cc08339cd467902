import { doublingPause, messageOf, type NotificationFormat } from '#libs/domain';
import type { HttpReply, HttpSender } from '#libs/http';
import {
  type AllowedHosts,
  RefusedAddressError,
  renderNotification,
  requireCallable,
  signatureHeaders,
} from '#libs/notification-targets';
import type { AttemptEnd, NotificationDelivery, TargetSecrets } from '#libs/store';

/** First and longest pause between two attempts. */
const pauses = { firstMs: 10_000, longestMs: 3_600_000 };
/** Responses after which a later attempt may succeed, besides 5xx. */
const transientStatuses = [408, 425, 429];
const maxReason = 500;

/** Collaborators of one attempt. */
export interface SendDeps {
  sender: HttpSender;
  allowed: AllowedHosts;
  /** Milliseconds since 1970. */
  now(): number;
  /** Attempts of one delivery at most. */
  maxAttempts: number;
  signal: AbortSignal;
}

/** Sends one notification once. Returns how the attempt ended. Does not throw. */
export async function sendNotification(
  { sender, allowed, now, maxAttempts, signal }: SendDeps,
  delivery: NotificationDelivery,
  target: TargetSecrets & { format: NotificationFormat },
): Promise<AttemptEnd> {
  const retry = (statusCode: number | null, reason: string, leastMs = 0): AttemptEnd => {
    if (delivery.attempts >= maxAttempts) return { event: 'giveUp', statusCode, reason: `${reason}; no attempts left` };
    const pauseMs = Math.max(doublingPause(delivery.attempts - 1, pauses), Math.min(leastMs, pauses.longestMs));
    return { event: 'retry', statusCode, reason, pauseMs };
  };
  try {
    const reply = await post();
    const { status } = reply;
    if (status >= 200 && status < 300) return { event: 'deliver', statusCode: status, reason: null };
    if (status >= 500 || transientStatuses.includes(status))
      return retry(status, `the receiver responded with ${status}`, retryAfterMs(reply));
    const isRedirect = status >= 300 && status < 400;
    const reason = isRedirect ? `redirects are not followed (${status})` : `the receiver refused it with ${status}`;
    return { event: 'giveUp', statusCode: status, reason };
  } catch (error) {
    // Attempts of a process that stops do not count against the receiver.
    if (signal.aborted) return { event: 'retry', statusCode: null, reason: 'the scheduler stopped', pauseMs: 0 };
    if (error instanceof RefusedAddressError) return { event: 'giveUp', statusCode: null, reason: error.message };
    return retry(null, faultOf(error));
  }

  async function post(): Promise<HttpReply> {
    const { uuid, eventUuid, kind, subject, data, eventAt } = delivery;
    const url = new URL(target.url);
    requireCallable(url.hostname, allowed);
    const notification = { eventUuid, deliveryUuid: uuid, kind, subject, data, at: eventAt };
    const { method, contentType, body, pathSuffix } = renderNotification(target.format, notification);
    if (pathSuffix !== '') url.pathname = url.pathname.replace(/\/$/, '') + pathSuffix;
    const timestamp = Math.floor(now() / 1000);
    return sender.send({
      method,
      url,
      headers: {
        'content-type': contentType,
        'user-agent': 'vigil',
        ...signatureHeaders(target.secret, { deliveryUuid: uuid, timestamp, body }),
        ...(target.bearerToken === null ? {} : { authorization: `Bearer ${target.bearerToken}` }),
      },
      body,
      isUnrepeatable: true,
      signal,
    });
  }
}

/** `Retry-After` in seconds. A date is ignored. */
function retryAfterMs({ headers }: HttpReply): number {
  const given = headers['retry-after'] ?? '';
  return /^\d{1,6}$/.test(given) ? Number(given) * 1000 : 0;
}

function faultOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'the receiver did not respond in time';
  return messageOf(error).slice(0, maxReason);
}
