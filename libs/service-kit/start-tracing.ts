import { type Clock, createRandom, type Logger } from '#libs/domain';
import { createOtlpExporter, createTracer, noTracer, type Tracer } from '#libs/tracing';
import type { Metrics } from './create-metrics.ts';
import type { commonEnv } from './env/common-env.ts';
import type { EnvValues } from './env/parse-env.ts';
import { readOtelVariables } from './otel-variables.ts';
import { readBuildVersion } from './system-sources.ts';
import type { Teardown } from './teardown.ts';

/** The process that sends spans. */
interface TracedProcess {
  name: string;
  env: Pick<EnvValues<typeof commonEnv>, 'VIGIL_OTLP_URL' | 'VIGIL_OTLP_HEADERS' | 'VIGIL_TRACE_RATIO'>;
  hostId: string;
  instanceId: string;
  metrics: Metrics;
  logger: Logger;
  clock: Clock;
  teardown: Teardown;
  /** Contains `OTEL_*`. Default: the environment of this process. */
  environment?: NodeJS.ProcessEnv;
}

/**
 * The tracer of a process. It sends to the collector of `VIGIL_OTLP_URL`, else of `OTEL_EXPORTER_OTLP_ENDPOINT`.
 * Without either it traces nothing.
 */
export function startTracing(of: TracedProcess): Tracer {
  const spans = of.metrics.counter(
    'vigil_trace_spans_total',
    'Spans by outcome: sent, refused by the collector, or dropped because it was unavailable',
    ['result'],
  );
  const standard = readOtelVariables(of.environment ?? process.env, of.logger);
  const { VIGIL_OTLP_URL: url = standard.url, VIGIL_TRACE_RATIO: ratio = standard.ratio ?? 1 } = of.env;
  if (url === undefined) return noTracer;
  const headers = { ...standard.headers, ...of.env.VIGIL_OTLP_HEADERS };
  const resource = {
    'service.namespace': 'vigil',
    'service.name': `vigil-${of.name}`,
    'service.version': readBuildVersion(),
    'service.instance.id': of.instanceId,
    'host.name': of.hostId,
    'process.pid': process.pid,
    ...standard.resource,
  };
  const metrics = { spans: (result: string, count: number) => spans.inc({ result }, count) };
  const exporter = createOtlpExporter({ url, headers, resource }, { logger: of.logger, metrics });
  of.teardown.add('traces', exporter.stop);
  return createTracer({ sink: exporter, clock: of.clock, random: createRandom(of.clock.now()) }, { ratio });
}
