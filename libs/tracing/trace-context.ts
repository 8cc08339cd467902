/** Which span of which trace something belongs to, as W3C trace context has it. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** Whether the trace is recorded. Decided once, where it starts. */
  sampled: boolean;
}

const pattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` of any version. Null when it is invalid. */
export function parseTraceparent(text: unknown): TraceContext | null {
  const [, version, traceId, spanId, flags, more] = (typeof text === 'string' && pattern.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === '00' && more !== undefined) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes a `traceparent` of version 00. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
