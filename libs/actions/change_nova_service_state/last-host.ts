import type { ComputeService } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { SafetyRailError } from '../errors.ts';

/**
 * Rail: the last host of a zone or aggregate that accepts servers is not disabled. A host that is down accepts none,
 * so disabling it changes nothing.
 * @throws SafetyRailError
 */
export async function requireOtherHosts(context: Pick<ActionContext, 'cloud'>, service: ComputeService): Promise<void> {
  if (!takesServers(service)) return;
  const { compute } = context.cloud;
  const others = (await compute.listServices()).filter(
    (other) => other.binary === 'nova-compute' && other.host !== service.host && takesServers(other),
  );
  if (!others.some((other) => other.zone === service.zone)) throw lastOf(service, `zone ${service.zone}`);
  const usable = new Set(others.map((other) => other.host));
  for (const aggregate of await compute.listAggregates()) {
    if (!aggregate.hosts.includes(service.host) || aggregate.hosts.some((host) => usable.has(host))) continue;
    throw lastOf(service, `aggregate ${aggregate.name}`);
  }
}

function takesServers(service: ComputeService): boolean {
  return service.status === 'enabled' && service.state === 'up' && !service.forcedDown;
}

function lastOf(service: ComputeService, where: string): SafetyRailError {
  return new SafetyRailError('last_enabled_host', `${service.host} is the last enabled host of ${where}`);
}
