import type { Attributes, SpanKind, SpanRecord } from './span.ts';

/** Numbers of `SpanKind` in the protocol. */
const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
const failed = 2;

/** Body of a request to `/v1/traces`: OTLP 1.x as JSON, with ids as hexadecimal digits and 64 bit numbers as texts. */
export function encodeSpans(resource: Attributes, spans: readonly SpanRecord[]): string {
  const scope = { name: 'vigil', version: String(resource['service.version'] ?? '') };
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeSpans: [{ scope, spans: spans.map(encodeSpan) }],
      },
    ],
  });
}

function encodeSpan({ context, parentSpanId, name, kind, beginMs, endMs, attributes, links, failure }: SpanRecord) {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(beginMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: encodeAttributes(attributes),
    links: links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    status: failure === null ? {} : { code: failed, message: failure },
  };
}

/** A double has microseconds of a time since 1970, not nanoseconds. */
function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms * 1000))}000`;
}

function encodeAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: encodeValue(value) }],
  );
}

function encodeValue(value: string | number | boolean | readonly string[]): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
}
