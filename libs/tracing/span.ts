import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { messageOf, withoutPasswords } from '#libs/domain';
import { formatTraceparent, type TraceContext } from './trace-context.ts';

/**
 * Attributes of a span, by names of OpenTelemetry's conventions where they have one. Undefined and null are left out.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

/** Side of a call that a span stands for. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** How a span starts. */
export interface SpanOptions {
  /** Default `internal`. */
  kind?: SpanKind;
  attributes?: Attributes;
  /** Spans of other traces that have to do with it. */
  links?: readonly TraceContext[];
}

/** A span that has ended. */
export interface SpanRecord extends Required<SpanOptions> {
  name: string;
  context: TraceContext;
  parentSpanId: string | null;
  /** Milliseconds since 1970, with fractions. */
  beginMs: number;
  endMs: number;
  /** Why it failed. Null when it did not. */
  failure: string | null;
}

/** Where ended spans go. */
export interface SpanSink {
  add(span: SpanRecord): void;
}

/** A piece of work in a trace, with start, end and attributes. */
export interface Span {
  readonly context: TraceContext;
  set(attributes: Attributes): void;
  /**
   * Marks it as failed. Only the first call counts.
   * @param type `error.type` of the conventions: few values, such as an HTTP status. Default the name of the error
   */
  fail(error: unknown, type?: string): void;
  /** Only the first call counts. */
  end(): void;
  /** A span within it, of the same process. */
  child(name: string, options?: SpanOptions): Span;
}

/**
 * Values shared by all spans of a process that have one local root: its time of day is read once, then time runs
 * evenly.
 */
export interface SpanScope {
  sink: SpanSink;
  /** Milliseconds since 1970 at which `performance.now()` was 0. */
  originMs: number;
}

/** Of the conventions: an error whose kind has no name. */
const unnamed = '_OTHER';

/** Starts a span below `parent`, or a trace. */
export function beginSpan(
  scope: SpanScope,
  name: string,
  parent: TraceContext | null,
  sampled: boolean,
  options: SpanOptions = {},
): Span {
  const context: TraceContext = { traceId: parent?.traceId ?? hex(16), spanId: hex(8), sampled };
  const beginMs = scope.originMs + performance.now();
  let attributes: Attributes = options.attributes ?? {};
  let failure: string | null = null;
  let ended = false;
  return {
    context,
    set(more) {
      attributes = { ...attributes, ...more };
    },
    fail(error, type = error instanceof Error ? error.name : unnamed) {
      if (failure !== null) return;
      failure = withoutPasswords(messageOf(error));
      attributes = { ...attributes, 'error.type': type };
    },
    end() {
      if (ended) return;
      ended = true;
      if (!sampled) return;
      const endMs = scope.originMs + performance.now();
      const { kind = 'internal', links = [] } = options;
      const parentSpanId = parent?.spanId ?? null;
      scope.sink.add({ name, kind, links, attributes, context, parentSpanId, beginMs, endMs, failure });
    },
    child: (childName, childOptions) => beginSpan(scope, childName, context, sampled, childOptions),
  };
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** The span that the present work belongs to. Goes with it through awaits, callbacks and timers. */
const active = new AsyncLocalStorage<Span>();

/** The span that the present work belongs to. Undefined where nothing is traced. */
export function activeSpan(): Span | undefined {
  return active.getStore();
}

/** `traceparent` of the active span, to be sent or stored with the effects of its work. */
export function currentTraceparent(): string | null {
  const span = active.getStore();
  return span === undefined ? null : formatTraceparent(span.context);
}

/** Does `work` as a part of `span`, which continues afterwards. */
export function withSpan<Result>(span: Span | undefined, work: () => Result): Result {
  return span === undefined ? work() : active.run(span, work);
}

/** Runs `work` as a part of `span` and ends the span with it. Errors of `work` are recorded. */
export async function endWith<Result>(span: Span | undefined, work: () => Promise<Result>): Promise<Result> {
  if (span === undefined) return work();
  try {
    return await active.run(span, work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Does `work` as its own span within the one that the present work belongs to. Without one it is only done. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const span = active.getStore()?.child(name, options);
  return endWith(span, () => work(span));
}
