import type { Message, Options } from 'amqplib';
import type { JsonObject } from '#libs/domain';
import type { Envelope } from '../bus.ts';

/**
 * Headers in addition to the AMQP properties `message_id`, `type`, `correlation_id`, `timestamp`, `app_id` and
 * `content_type`.
 */
export const amqpHeaders = {
  schema: 'x-schema',
  attempt: 'x-attempt',
  /** Time of publishing with milliseconds. The AMQP property has only whole seconds. */
  publishedAt: 'x-published-at',
  reason: 'x-reason',
  queue: 'x-queue',
  deadAt: 'x-dead-at',
  /** Header of W3C trace context for AMQP. */
  traceparent: 'traceparent',
} as const;

/** Kept start of a body that cannot be decoded. */
const undecodableBytes = 4096;

/** The AMQP form of an envelope: the body as JSON, all other fields as properties and headers. */
export function encodeEnvelope(
  envelope: Envelope,
  appId: string,
  headers: Record<string, string | number> = {},
): { content: Buffer; options: Options.Publish } {
  return {
    content: Buffer.from(JSON.stringify(envelope.body)),
    options: {
      messageId: envelope.messageId,
      type: envelope.type,
      correlationId: envelope.correlationId ?? undefined,
      timestamp: Math.floor(Date.parse(envelope.timestamp) / 1000) || undefined,
      appId,
      contentType: 'application/json',
      contentEncoding: 'utf-8',
      persistent: true,
      headers: {
        [amqpHeaders.schema]: String(envelope.body.schema ?? ''),
        [amqpHeaders.attempt]: envelope.attempt,
        [amqpHeaders.publishedAt]: envelope.timestamp,
        ...(envelope.traceparent ? { [amqpHeaders.traceparent]: envelope.traceparent } : {}),
        ...headers,
      },
    },
  };
}

/** The parsed body, or null when it is not a JSON object. */
export function decodeBody(content: Buffer): JsonObject | null {
  try {
    const body: unknown = JSON.parse(content.toString('utf8'));
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonObject) : null;
  } catch {
    return null;
  }
}

/**
 * Reads a delivery. Never throws, for any content. `attempt` counts the retries that Vigil requested and the
 * redeliveries after lost consumers. Content that is not a JSON object gets a body that matches no schema of the
 * catalogue and keeps its start for the dead letter. An invalid time of publishing is kept, and every consumer rejects
 * it.
 */
export function decodeEnvelope(message: Message): Envelope {
  const { properties } = message;
  const headers = properties.headers ?? {};
  const publishedAt = headers[amqpHeaders.publishedAt];
  const traceparent = headers[amqpHeaders.traceparent];
  return {
    messageId: textOf(properties.messageId),
    type: textOf(properties.type),
    body: decodeBody(message.content) ?? { undecodable: message.content.toString('utf8', 0, undecodableBytes) },
    correlationId: properties.correlationId === undefined ? null : textOf(properties.correlationId),
    traceparent: traceparent === undefined ? null : textOf(traceparent),
    attempt: wholeNumber(headers[amqpHeaders.attempt]) + wholeNumber(headers['x-delivery-count']),
    timestamp: typeof publishedAt === 'string' ? publishedAt : timeOf(properties.timestamp),
  };
}

/**
 * ISO 8601 of an AMQP timestamp in seconds (1970 without one). Its digits when it is out of range, such as
 * microseconds.
 */
export function timeOf(timestamp: unknown): string {
  const time = new Date(Number(timestamp ?? 0) * 1000);
  return Number.isNaN(time.getTime()) ? textOf(timestamp) : time.toISOString();
}

/** Text of a header or property of any kind. A table may define a `toString`. */
export function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value ?? '') : String(value ?? '');
}

function wholeNumber(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0;
}
