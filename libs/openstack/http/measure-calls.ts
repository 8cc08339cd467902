import type { Metrics } from '#libs/service-kit';
import type { CloudCallMetrics } from './call-metrics.ts';

/** Counts and times what is asked of OpenStack, in `vigil_openstack_call_seconds`. */
export function measureCloudCalls(metrics: Metrics): CloudCallMetrics {
  const labels = ['openstack_service', 'method', 'outcome'];
  const seconds = metrics.histogram('vigil_openstack_call_seconds', 'Duration of calls to OpenStack', labels);
  return {
    observe: ({ service, method, outcome, durationSeconds }) =>
      seconds.observe({ openstack_service: service, method, outcome }, durationSeconds),
  };
}
