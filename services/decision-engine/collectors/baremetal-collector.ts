import { type BaremetalSnapshot, buildBaremetalSnapshot } from '#libs/cluster-model';
import type { Clock } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import { ServiceMissingError } from './errors.ts';

/**
 * Reads the machines of a cloud from Ironic in one listing. Throws ServiceMissingError where the catalogue has no Ironic,
 * and rejects when the nodes can not be listed.
 */
export async function collectBaremetalModel(
  cloud: Pick<Cloud, 'baremetal' | 'hasBaremetalService'>,
  { clock, signal }: { clock: Clock; signal?: AbortSignal },
): Promise<BaremetalSnapshot> {
  const call = { signal };
  if (!(await cloud.hasBaremetalService(call))) throw new ServiceMissingError('bare metal (Ironic)');
  const takenAtMs = clock.now();
  return buildBaremetalSnapshot({ nodes: await cloud.baremetal.listNodes(call), takenAtMs });
}
