import { setTimeout as pause } from 'node:timers/promises';
import { doublingPause, type Logger, messageOf } from '#libs/domain';
import type { HttpSender } from '#libs/http';
import { encodeSpans } from './otlp-json.ts';
import type { Attributes, SpanRecord, SpanSink } from './span.ts';

/** How spans travel to a collector. */
export interface OtlpExporterOptions {
  /** Of the collector, such as `http://collector:4318`. `/v1/traces` is added unless it ends with that. */
  url: string;
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>;
  /** Attributes of the sender, such as `service.name`. */
  resource: Attributes;
  /** Pause between two requests, in milliseconds. Default 1,000. */
  delayMs?: number;
  /** Time for one request, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  /** First pause before a request is sent again, in milliseconds, doubled each time up to 30 s. Default 1,000. */
  retryMs?: number;
}

/** Where the exporter counts. */
export interface ExporterMetrics {
  /**
   * `sent`: the collector accepted the spans. `refused`: it rejected some or all. `dropped`: the queue was full, or
   * the collector was unavailable when the process ended.
   */
  spans(result: 'sent' | 'refused' | 'dropped', count: number): void;
}

/** Spans that wait at most, and that go with one request. */
const waitingAtMost = 8192;
const batchSize = 512;
const longestRetryMs = 30_000;
const stopMs = 3000;
const passingStatuses = new Set([429, 502, 503, 504]);

/**
 * Sends spans to a collector in batches, as OTLP over HTTP in JSON. Spans wait for an unavailable collector. The
 * queue is limited, and dropped spans are counted. No work waits for it.
 */
export function createOtlpExporter(
  options: OtlpExporterOptions,
  deps: { logger: Logger; metrics: ExporterMetrics },
): SpanSink & { stop(): Promise<void> } {
  const { delayMs = 1000, timeoutMs = 10_000, retryMs = 1000 } = options;
  const url = new URL(options.url.replace(/\/*$/, '').replace(/(\/v1\/traces)?$/, '/v1/traces'));
  const stopping = new AbortController();
  let waiting: SpanRecord[] = [];
  let sending: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let trouble: string | null = null;
  let sender: HttpSender | undefined;

  /** Commands that trace nothing do without, and it takes a while to be loaded. */
  async function openSender(): Promise<HttpSender> {
    const { createSender } = await import('#libs/http');
    sender ??= createSender({ timeoutMs, maxConnections: 1 });
    return sender;
  }

  /** Logs the start and the end of an outage, not every attempt. */
  function report(reason: string | null): void {
    if (reason !== null && trouble === null) deps.logger.warn({ reason }, 'cannot send traces');
    if (reason === null && trouble !== null) deps.logger.info({}, 'sending of traces resumed');
    trouble = reason;
  }

  /** Returns null when the collector has them, or why not and whether it may be tried again. */
  async function post(spans: readonly SpanRecord[]): Promise<{ reason: string; passing: boolean } | null> {
    try {
      const body = encodeSpans(options.resource, spans);
      const headers = { ...options.headers, 'content-type': 'application/json' };
      const { status, text } = await (await openSender()).send({ method: 'POST', url, headers, body });
      if (status < 200 || status > 299) return { reason: `HTTP ${status}`, passing: passingStatuses.has(status) };
      const refused = refusedOf(text);
      deps.metrics.spans('sent', spans.length - refused);
      if (refused > 0) deps.metrics.spans('refused', refused);
      return null;
    } catch (error) {
      return { reason: messageOf(error), passing: true };
    }
  }

  async function send(spans: readonly SpanRecord[]): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const failure = await post(spans);
      report(failure?.reason ?? null);
      if (failure === null) return;
      if (!failure.passing) return deps.metrics.spans('refused', spans.length);
      if (stopping.signal.aborted) return deps.metrics.spans('dropped', spans.length);
      const pauseMs = doublingPause(tries, { firstMs: retryMs, longestMs: longestRetryMs });
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) await send(waiting.splice(0, batchSize));
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = null;
    });
    return sending;
  }

  return {
    add(span) {
      if (waiting.length >= waitingAtMost) return deps.metrics.spans('dropped', 1);
      waiting.push(span);
      if (timer === undefined && sending === null) timer = setTimeout(() => void flush(), delayMs).unref();
    },
    async stop() {
      stopping.abort();
      await Promise.race([flush(), pause(stopMs, undefined, { ref: false })]);
      if (waiting.length > 0) deps.metrics.spans('dropped', waiting.length);
      waiting = [];
      await sender?.close();
    },
  };
}

/** How many spans of an accepted request the collector did not take. */
function refusedOf(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: unknown } };
    return Number(partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}
