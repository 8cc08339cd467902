import type { Clock, RandomSource } from '#libs/domain';
import { beginSpan, endWith, type Span, type SpanOptions, type SpanSink } from './span.ts';
import { parseTraceparent, type TraceContext } from './trace-context.ts';

/** How a span starts that continues with the trace of another process, or starts one. */
export interface EntryOptions extends SpanOptions {
  /** `traceparent` candidates of the work. The first valid one is used. Without any, a trace starts. */
  parents?: readonly unknown[];
  /** `traceparent`s of related spans. Those of the same trace are left out. */
  related?: readonly unknown[];
}

/** Starts the root spans of a process. All others are their children (`inSpan`). */
export interface Tracer {
  /** Undefined when nothing is traced. */
  start(name: string, options?: EntryOptions): Span | undefined;
  /** Does `work` as a span that ends with it. */
  run<Result>(name: string, options: EntryOptions, work: (span: Span | undefined) => Promise<Result>): Promise<Result>;
}

/** Traces nothing. */
export const noTracer: Tracer = {
  start: () => undefined,
  run: (_name, _options, work) => work(undefined),
};

/**
 * Makes spans and gives those that are recorded to `sink` when they end.
 * @param options.ratio share of the traces that start here and are recorded, 0 to 1. A trace from elsewhere has been
 * decided on
 */
export function createTracer(
  deps: { sink: SpanSink; clock: Clock; random: RandomSource },
  options: { ratio: number },
): Tracer {
  function start(name: string, { parents = [], related = [], links = [], ...rest }: EntryOptions = {}): Span {
    const parent = contextsOf(parents)[0] ?? null;
    const sampled = parent?.sampled ?? deps.random() < options.ratio;
    const others = contextsOf(related).filter(({ traceId }) => traceId !== parent?.traceId);
    const scope = { sink: deps.sink, originMs: deps.clock.now() - performance.now() };
    return beginSpan(scope, name, parent, sampled, { ...rest, links: [...links, ...others] });
  }
  return {
    start,
    run(name, entry, work) {
      const span = start(name, entry);
      return endWith(span, () => work(span));
    },
  };
}

function contextsOf(texts: readonly unknown[]): TraceContext[] {
  return texts.flatMap((text) => parseTraceparent(text) ?? []);
}
