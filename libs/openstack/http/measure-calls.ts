import type { Metrics } from '#libs/service-kit';

/** Outcome of one HTTP exchange. */
type CallOutcome = 'ok' | 'refused' | 'server_error' | 'timeout' | 'connection_error' | 'cancelled';

/** Receives every exchange with OpenStack, repeated ones included. Usually a counter and a histogram. */
export interface CloudCallMetrics {
  observe(call: {
    /** Service type: identity, compute, placement, block-storage. */
    service: string;
    method: string;
    outcome: CallOutcome;
    /** HTTP status, 0 without a response. */
    status: number;
    durationSeconds: number;
  }): void;
}

/** Counts and times the calls to OpenStack, in `vigil_openstack_call_seconds`. */
export function measureCloudCalls(metrics: Metrics): CloudCallMetrics {
  const labels = ['openstack_service', 'method', 'outcome'];
  const seconds = metrics.histogram('vigil_openstack_call_seconds', 'Duration of calls to OpenStack', labels);
  return {
    observe: ({ service, method, outcome, durationSeconds }) =>
      seconds.observe({ openstack_service: service, method, outcome }, durationSeconds),
  };
}

/** The outcome of an HTTP status: 4xx `refused`, 5xx `server_error`. */
export function outcomeOf(status: number): CallOutcome {
  if (status >= 500) return 'server_error';
  return status >= 400 ? 'refused' : 'ok';
}
