import type { ServerPort } from '#libs/openstack';
import type { PortNeed } from './compute-snapshot.ts';
import type { ConstraintName } from './what-if.ts';

/** The facts about a network port that restrict the destinations of its server. */
export type PortFacts = Pick<ServerPort, 'serverUuid' | 'vnicType' | 'hasResourceRequest'>;

/** Needs from the strongest to the weakest. */
const strongestFirst: readonly PortNeed[] = ['accelerator', 'device', 'resources'];

/** Neutron's kinds of ports that need a function of a device. */
const deviceKinds: ReadonlySet<string> = new Set([
  ...['direct', 'direct-physical', 'macvtap', 'vdpa', 'remote-managed', 'virtio-forwarder'],
]);

/** Constraints by the need: no API shows whether a host has a free function or free bandwidth. */
export const portConstraints: Readonly<Record<PortNeed, ConstraintName>> = {
  accelerator: 'port-accelerator',
  device: 'port-device',
  resources: 'port-resources',
};

function needOf({ vnicType, hasResourceRequest }: PortFacts): PortNeed | null {
  if (vnicType?.startsWith('accelerator-')) return 'accelerator';
  if (vnicType !== null && deviceKinds.has(vnicType)) return 'device';
  return hasResourceRequest ? 'resources' : null;
}

/** The strongest need of each server that has one, by uuid. */
export function portNeeds(ports: readonly PortFacts[]): ReadonlyMap<string, PortNeed> {
  const needs = new Map<string, PortNeed>();
  for (const port of ports) {
    const [one, other] = [needOf(port), needs.get(port.serverUuid)];
    const strongest = strongestFirst.find((need) => need === one || need === other);
    if (strongest !== undefined) needs.set(port.serverUuid, strongest);
  }
  return needs;
}
