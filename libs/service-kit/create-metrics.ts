import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one process. Names begin with `vigil_`; the same name gives the same metric. */
export interface Metrics {
  counter(name: string, help: string, labels?: string[]): Counter;
  gauge(name: string, help: string, labels?: string[]): Gauge;
  /** Durations in seconds. */
  histogram(name: string, help: string, labels?: string[], buckets?: number[]): Histogram;
  /** Text exposition format. */
  expose(): Promise<{ contentType: string; body: string }>;
}

const durationBuckets = [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** @param service becomes the label `service` of every metric. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    counter: (name, help, labelNames = []) =>
      (registry.getSingleMetric(name) as Counter | undefined) ?? new Counter({ name, help, labelNames, registers }),
    gauge: (name, help, labelNames = []) =>
      (registry.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help, labelNames, registers }),
    histogram: (name, help, labelNames = [], buckets = durationBuckets) =>
      (registry.getSingleMetric(name) as Histogram | undefined) ??
      new Histogram({ name, help, labelNames, registers, buckets }),
    expose: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
