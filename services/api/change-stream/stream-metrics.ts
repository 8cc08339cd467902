import type { Clock } from '#libs/domain';
import type { Metrics } from '#libs/service-kit';

/** Metrics of the change stream. */
export interface StreamMetrics {
  streams(count: number): void;
  watchers(count: number): void;
  log(size: { changes: number; oldestSeconds: number }): void;
  /** A batch was read whose last change started at `at`. */
  latency(at: Date): void;
  /** Clients had to restart for this reason. */
  reset(code: string): void;
  /** Changes that were merged into a later change of the same entity before any client received them. */
  coalesced(count: number): void;
}

const latencyBuckets = [0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 30];

/** Registers the metrics of the change stream. */
export function createStreamMetrics(metrics: Metrics, clock: Clock): StreamMetrics {
  const streams = metrics.gauge('vigil_watch_streams', 'Clients of the event stream');
  const watchers = metrics.gauge('vigil_watch_watchers', 'Long-poll watchers of the deployment');
  const changes = metrics.gauge('vigil_watch_log_changes', 'Changes that are kept in the change log');
  const oldest = metrics.gauge('vigil_watch_log_oldest_seconds', 'Age of the oldest change in the change log');
  const latency = metrics.histogram(
    'vigil_watch_latency_seconds',
    'From the start of a transaction until its changes are sent to clients',
    [],
    latencyBuckets,
  );
  const resets = metrics.counter('vigil_watch_resets_total', 'Clients that had to restart, by reason', ['code']);
  const coalesced = metrics.counter('vigil_watch_coalesced_total', 'Changes that were folded into a later one');
  return {
    streams: (count) => streams.set(count),
    watchers: (count) => watchers.set(count),
    log: (size) => {
      changes.set(size.changes);
      oldest.set(size.oldestSeconds);
    },
    latency: (at) => latency.observe(Math.max(0, clock.now() - at.getTime()) / 1000),
    reset: (code) => resets.inc({ code }),
    coalesced: (count) => coalesced.inc(Math.max(0, count)),
  };
}
