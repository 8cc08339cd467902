import type { BaremetalNode } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { SafetyRailError } from '../errors.ts';
import { computeHostOf, type PowerStateInput } from './compute-host.ts';

/** Servers in these states use nothing on their former host. */
const awayStatuses = new Set(['DELETED', 'SOFT_DELETED', 'SHELVED_OFFLOADED']);

/**
 * Rail: a host is powered off only when its compute service is disabled and no server is on it.
 * @throws SafetyRailError
 */
export async function requireEmptyHost(context: ActionContext<PowerStateInput>, node: BaremetalNode): Promise<void> {
  const { compute } = context.cloud;
  const host = await computeHostOf(context, node);
  if (host === null) {
    throw new SafetyRailError('host_unknown', `Node ${node.uuid} does not report its compute host`);
  }
  const service = (await compute.listServices()).find((one) => one.binary === 'nova-compute' && one.host === host);
  if (!service) throw new SafetyRailError('host_unknown', `Compute host ${host} of node ${node.uuid} not found`);
  if (service.status !== 'disabled') {
    throw new SafetyRailError(
      'service_enabled',
      `nova-compute service ${host} is enabled, so it cannot be powered off`,
    );
  }
  const servers = (await compute.listServers({ host })).filter((server) => {
    const isIgnored = server.status === 'SHUTOFF' && context.options.powerOffIgnoresShutoff === true;
    return !awayStatuses.has(server.status) && !isIgnored;
  });
  if (servers.length > 0) {
    throw new SafetyRailError('host_not_empty', `Compute host ${host} has ${servers.length} servers`);
  }
}
