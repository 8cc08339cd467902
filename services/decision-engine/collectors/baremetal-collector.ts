import { type BaremetalModelInput, type BaremetalSnapshot, buildBaremetalSnapshot } from '#libs/cluster-model';
import type { Clock } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import { ServiceMissingError } from './errors.ts';
import { type Collector, collectThrough } from './foreign-collectors.ts';

type BareMetal = Pick<Cloud, 'baremetal' | 'hasBaremetalService'>;

/**
 * Reads the nodes of a cloud from Ironic in one listing. Throws ServiceMissingError when the catalogue has no Ironic,
 * and rejects when the nodes cannot be listed.
 */
export function collectBaremetalModel(
  cloud: BareMetal,
  { clock, signal, collector }: { clock: Clock; signal?: AbortSignal; collector?: Collector<BaremetalModelInput> },
): Promise<BaremetalSnapshot> {
  const read = () => listBaremetal(cloud, clock, signal);
  return collectThrough(collector, { read, build: buildBaremetalSnapshot, signal });
}

/** The listing from which `collectBaremetalModel` builds its snapshot. Rejects in the same cases. */
export async function listBaremetal(
  cloud: BareMetal,
  clock: Clock,
  signal?: AbortSignal,
): Promise<BaremetalModelInput> {
  const call = { signal };
  if (!(await cloud.hasBaremetalService(call))) throw new ServiceMissingError('bare metal (Ironic)');
  const takenAtMs = clock.now();
  return { nodes: await cloud.baremetal.listNodes(call), takenAtMs };
}
