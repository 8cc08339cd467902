import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cpuInfoOf } from '../../cloud/cpu-info.ts';
import { isUp, type SimulatedHost } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { hostLoad } from '../../load/host-load.ts';
import { paramsOf, queryOf } from '../request-context.ts';
import { isUuid, minorOf, nextLink, pageOf, requireAdmin } from './compute-scope.ts';

/** os-hypervisors. */
export function hypervisorRoutes(scope: FastifyInstance, simulation: Simulation): void {
  const { state } = simulation;

  scope.get('/os-hypervisors', async (request) => list(request, (host) => summary(host, minorOf(request))));
  scope.get('/os-hypervisors/detail', async (request) => list(request, (host) => detail(host, minorOf(request))));
  scope.get('/os-hypervisors/:hypervisor', async (request) => {
    const host = hostOf(request);
    const withServers = queryOf(request).with_servers === 'true' || queryOf(request).with_servers === 'True';
    return { hypervisor: { ...detail(host, minorOf(request)), ...serversOf(host, withServers, minorOf(request)) } };
  });
  scope.get('/os-hypervisors/:hypervisor/uptime', async (request) => {
    const host = hostOf(request);
    const minor = minorOf(request);
    if (minor >= 88) throw new SimulatedApiError(404, 'The resource could not be found.');
    return { hypervisor: { ...summary(host, minor), uptime: uptime(host) } };
  });

  function list(request: FastifyRequest, view: (host: SimulatedHost) => object): object {
    requireAdmin(request, 'os-hypervisors:list-detail');
    const query = queryOf(request);
    const minor = minorOf(request);
    const found = matching(query.hypervisor_hostname_pattern, minor);
    const paged = minor >= 33 && query.hypervisor_hostname_pattern === undefined;
    const { page, more } = paged
      ? pageOf(found, query, (host) => idOf(host, minor).toString())
      : { page: found, more: false };
    const last = page.at(-1);
    const withServers = /^true$/i.test(query.with_servers ?? '') && minor >= 53;
    return {
      hypervisors: page.map((host) => ({ ...view(host), ...serversOf(host, withServers, minor) })),
      ...(more && last !== undefined ? { hypervisors_links: nextLink(request, idOf(last, minor).toString()) } : {}),
    };
  }
  function matching(pattern: string | undefined, minor: number): SimulatedHost[] {
    const hosts = [...state.hosts.values()].filter((host) => !simulation.faults.isHidden(host));
    if (pattern === undefined || minor < 53) return hosts;
    const found = hosts.filter((host) => host.name.includes(pattern));
    if (found.length === 0) throw new SimulatedApiError(404, `No hypervisor matching '${pattern}' could be found.`);
    return found;
  }
  function hostOf(request: FastifyRequest): SimulatedHost {
    requireAdmin(request, 'os-hypervisors:show');
    const id = paramsOf(request).hypervisor ?? '';
    const host =
      minorOf(request) >= 53
        ? state.hostsByUuid.get(id)
        : [...state.hosts.values()].find((candidate) => String(candidate.hypervisorId) === id);
    if (host === undefined && minorOf(request) >= 53 && !isUuid(id)) {
      throw new SimulatedApiError(400, `Invalid uuid ${id}`);
    }
    if (host === undefined) throw new SimulatedApiError(404, `Hypervisor with ID '${id}' could not be found.`);
    return host;
  }
  function uptime(host: SimulatedHost): string {
    const load =
      (hostLoad(host, simulation.simulatedClock.seconds(), simulation.seed).cpuPercent / 100) *
      host.inventory.VCPU.total;
    const clock = new Date(simulation.clock.now()).toISOString().slice(11, 19);
    const text = load.toFixed(2);
    return ` ${clock} up 12 days,  3:04,  0 users,  load average: ${text}, ${text}, ${text}\n`;
  }
  function detail(host: SimulatedHost, minor: number): object {
    const head = {
      ...summary(host, minor),
      hypervisor_type: 'QEMU',
      hypervisor_version: host.hypervisorVersion,
      host_ip: host.ip,
      service: {
        id: minor >= 53 ? host.serviceUuid : host.serviceId,
        host: host.name,
        disabled_reason: host.disabledReason,
      },
    };
    if (minor >= 88) return { ...head, uptime: isUp(host) ? uptime(host) : null };
    return { ...head, ...capacity(host, minor) };
  }
  function capacity(host: SimulatedHost, minor: number): object {
    const used = simulation.ledger.usage(host);
    const vcpus = host.inventory.VCPU.total;
    const memory = host.inventory.MEMORY_MB;
    const memoryUsed = memory.reserved + used.MEMORY_MB;
    const disk = host.inventory.DISK_GB.total;
    const info = cpuInfoOf(host);
    return {
      cpu_info: minor >= 28 ? info : JSON.stringify(info),
      current_workload: 0,
      disk_available_least: disk - used.DISK_GB,
      free_disk_gb: disk - used.DISK_GB,
      free_ram_mb: memory.total - memoryUsed,
      local_gb: disk,
      local_gb_used: used.DISK_GB,
      memory_mb: memory.total,
      memory_mb_used: memoryUsed,
      running_vms: host.servers.size,
      vcpus,
      vcpus_used: used.VCPU,
    };
  }
}

function idOf(host: SimulatedHost, minor: number): string | number {
  return minor >= 53 ? host.uuid : host.hypervisorId;
}

function summary(host: SimulatedHost, minor: number): object {
  return {
    id: idOf(host, minor),
    hypervisor_hostname: host.name,
    state: isUp(host) ? 'up' : 'down',
    status: host.status,
  };
}

/** Up to 2.74, the field exists only if the host has servers. */
function serversOf(host: SimulatedHost, isRequested: boolean, minor: number): object {
  if (!isRequested || (host.servers.size === 0 && minor < 75)) return {};
  const servers = [...host.servers].map((server) => ({
    uuid: server.uuid,
    name: `instance-${server.number.toString(16).padStart(8, '0')}`,
  }));
  return { servers };
}
