import type { Metrics } from '#libs/service-kit';
import type { Decision } from './delivery.ts';

/** Metrics of both adapters. */
export interface BusMetrics {
  published(type: string, result: true | string): void;
  /** @param startedAt of `performance.now()`, in milliseconds. */
  handled(type: string, verdict: Decision, startedAt: number): void;
  connected(up: boolean): void;
}

/** Creates counters and a histogram named `vigil_bus_…`. Does nothing without `metrics`. */
export function createBusMetrics(metrics: Metrics | undefined): BusMetrics {
  const published = metrics?.counter('vigil_bus_published_total', 'Work messages by result', ['type', 'result']);
  const handled = metrics?.counter('vigil_bus_handled_total', 'Deliveries by verdict', ['type', 'verdict']);
  const seconds = metrics?.histogram('vigil_bus_handler_seconds', 'Time in message handlers', ['type']);
  const up = metrics?.gauge('vigil_bus_connected', '1 while the message bus is connected');
  return {
    published: (type, result) => published?.inc({ type, result: result === true ? 'stored' : 'failed' }),
    handled(type, verdict, startedAt) {
      handled?.inc({ type, verdict: verdict.kind });
      seconds?.observe({ type }, (performance.now() - startedAt) / 1000);
    },
    connected: (connected) => up?.set(connected ? 1 : 0),
  };
}
