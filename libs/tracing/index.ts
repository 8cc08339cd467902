export { createOtlpExporter } from './otlp-exporter.ts';
export {
  activeSpan,
  currentTraceparent,
  endWith,
  inSpan,
  type Span,
  type SpanOptions,
  withSpan,
} from './span.ts';
export { formatTraceparent } from './trace-context.ts';
export { createTracer, noTracer, type Tracer } from './tracer.ts';
