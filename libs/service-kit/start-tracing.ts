import { type Clock, createRandom, type Logger } from '#libs/domain';
import { createOtlpExporter, createTracer, noTracer, type Tracer } from '#libs/tracing';
import type { Metrics } from './create-metrics.ts';
import type { commonEnv } from './env/common-env.ts';
import type { EnvValues } from './env/parse-env.ts';
import { readBuildVersion } from './system-sources.ts';
import type { Teardown } from './teardown.ts';

/** The process whose spans are sent. */
interface TracedProcess {
  name: string;
  env: Pick<EnvValues<typeof commonEnv>, 'VIGIL_OTLP_URL' | 'VIGIL_OTLP_HEADERS' | 'VIGIL_TRACE_RATIO'>;
  hostId: string;
  instanceId: string;
  metrics: Metrics;
  logger: Logger;
  clock: Clock;
  teardown: Teardown;
}

/** The tracer of a process, which sends to the collector of `VIGIL_OTLP_URL`. One that traces nothing without it. */
export function startTracing(of: TracedProcess): Tracer {
  const spans = of.metrics.counter(
    'vigil_trace_spans_total',
    'Spans by outcome: sent, refused by the collector, or dropped because it was unavailable',
    ['result'],
  );
  const { VIGIL_OTLP_URL: url, VIGIL_OTLP_HEADERS: headers, VIGIL_TRACE_RATIO: ratio } = of.env;
  if (url === undefined) return noTracer;
  const resource = {
    'service.namespace': 'vigil',
    'service.name': `vigil-${of.name}`,
    'service.version': readBuildVersion(),
    'service.instance.id': of.instanceId,
    'host.name': of.hostId,
    'process.pid': process.pid,
  };
  const metrics = { spans: (result: string, count: number) => spans.inc({ result }, count) };
  const exporter = createOtlpExporter({ url, headers, resource }, { logger: of.logger, metrics });
  of.teardown.add('traces', exporter.stop);
  return createTracer({ sink: exporter, clock: of.clock, random: createRandom(of.clock.now()) }, { ratio });
}
