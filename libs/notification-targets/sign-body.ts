import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const newBytes = 32;
const bytes = { least: 24, most: 64 };

/** Makes the key of a target's signatures: 256 random bits, in the form of Standard Webhooks. */
export function newSigningSecret(): string {
  return `${prefix}${randomBytes(newBytes).toString('base64')}`;
}

/** @throws Error with the reason, which does not repeat the secret */
export function requireSigningSecret(text: string): string {
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  const size = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64').length : 0;
  if (size >= bytes.least && size <= bytes.most) return text;
  throw new Error(`Must be ${prefix} and ${bytes.least} to ${bytes.most} bytes as base64.`);
}

/** A body that is sent, and by which delivery and when. */
export interface SignedContent {
  deliveryUuid: string;
  /** Seconds since 1970, UTC. */
  timestamp: number;
  body: string;
}

/**
 * The headers with which a receiver verifies a notification: HMAC-SHA256 over id, time and body, as defined by Standard
 * Webhooks 1.0.
 */
export function signatureHeaders(secret: string, { deliveryUuid, timestamp, body }: SignedContent) {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${deliveryUuid}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': deliveryUuid,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
