export { createOtlpExporter } from './otlp-exporter.ts';
export { activeSpan, currentTraceparent, inSpan, type Span, withSpan } from './span.ts';
export { formatTraceparent } from './trace-context.ts';
export { createTracer, noTracer, type Tracer } from './tracer.ts';
