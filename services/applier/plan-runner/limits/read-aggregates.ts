import type { Logger } from '#libs/domain';
import type { Aggregate, Cloud } from '#libs/openstack';
import { createPatientCloud } from '../patient-cloud.ts';
import { wait } from '../wait.ts';
import type { OccupancyLimits } from './occupancy.ts';

/** Time limit for the list of aggregates, in milliseconds. */
const patienceMs = 30_000;

/** A host aggregate by name, with its hosts. */
export type HostAggregate = Pick<Aggregate, 'name' | 'hosts'>;

/**
 * Host aggregates, if a limit per aggregate is configured. Also empty when the cloud is unavailable, because the plan
 * must not fail for this reason. The graph of the plan then still enforces the limit within the plan.
 */
export async function readAggregates(
  limits: OccupancyLimits,
  { cloud, requestId, halt, logger }: { cloud: Cloud; requestId: string; halt: AbortSignal; logger: Logger },
): Promise<readonly HostAggregate[]> {
  if (limits.aggregate === undefined) return [];
  const signal = AbortSignal.any([halt, AbortSignal.timeout(patienceMs)]);
  const patient = createPatientCloud(cloud, { requestId, signal, sleep: (ms) => wait(ms, signal), logger });
  try {
    return await patient.compute.listAggregates();
  } catch (error) {
    halt.throwIfAborted();
    logger.warn({ error }, 'cannot read host aggregates, their limit applies within this plan only');
    return [];
  }
}
