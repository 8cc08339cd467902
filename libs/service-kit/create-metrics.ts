import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one process. Names start with `vigil_`. Equal names return the same metric. */
export interface Metrics {
  counter(name: string, help: string, labels?: string[]): Counter;
  gauge(name: string, help: string, labels?: string[]): Gauge;
  /** Durations in seconds. */
  histogram(name: string, help: string, labels?: string[], buckets?: number[]): Histogram;
  /** Text exposition format. Includes the metrics of Node.js, which are collected from the first call on. */
  expose(): Promise<{ contentType: string; body: string }>;
}

/** Gauges of prom-client with names of counters. `nodejs_active_resources` has the same values by type. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

const durationBuckets = [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** @param service value of the label `service` of every metric. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  let ofNode: Promise<void> | undefined;
  const registers = [registry];
  return {
    counter: (name, help, labelNames = []) =>
      (registry.getSingleMetric(name) as Counter | undefined) ?? new Counter({ name, help, labelNames, registers }),
    gauge: (name, help, labelNames = []) =>
      (registry.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help, labelNames, registers }),
    histogram: (name, help, labelNames = [], buckets = durationBuckets) =>
      (registry.getSingleMetric(name) as Histogram | undefined) ??
      new Histogram({ name, help, labelNames, registers, buckets }),
    async expose() {
      ofNode ??= collectNodeMetrics(registry);
      await ofNode;
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

/**
 * The measurement of event loop delay wakes a process a hundred times a second, so it starts with the first reader.
 * Resolves with the first delay, because an empty histogram reports a minimum of 300 years.
 */
async function collectNodeMetrics(register: Registry): Promise<void> {
  collectDefaultMetrics({ register });
  for (const name of misnamed) register.removeSingleMetric(name);
  const delays = monitorEventLoopDelay();
  delays.enable();
  while (delays.count === 0) await sleep(1);
  delays.disable();
}
