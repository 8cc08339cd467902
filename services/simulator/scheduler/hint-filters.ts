import type { SimulatedHost, SimulatedServer } from '../cloud/entities.ts';
import type { FilterContext, HostFilter } from './host-filter.ts';

// Nova's filters for the hints of a server. Nova stores hints in the request spec, so they apply to every later move.

function isAmong(host: SimulatedHost, uuids: readonly string[]): boolean {
  return [...host.servers].some(({ uuid }) => uuids.includes(uuid));
}

const differentHost: HostFilter = {
  name: 'DifferentHostFilter',
  passes: (host, { server }) => !isAmong(host, server.schedulerHints.different_host ?? []),
};

const sameHost: HostFilter = {
  name: 'SameHostFilter',
  passes(host, { server }) {
    const named = server.schedulerHints.same_host ?? [];
    return named.length === 0 || isAmong(host, named);
  },
};

/** Attributes of Nova's host state that a query can use as `$NAME`. */
function attribute(host: SimulatedHost, { ledger }: FilterContext, name: string): unknown {
  const used = ledger.usage(host);
  const { VCPU, MEMORY_MB, DISK_GB } = host.inventory;
  const known: Record<string, unknown> = {
    host: host.name,
    nodename: host.name,
    hypervisor_hostname: host.name,
    hypervisor_type: 'QEMU',
    hypervisor_version: host.hypervisorVersion,
    host_ip: host.ip,
    vcpus_total: VCPU.total,
    vcpus_used: used.VCPU,
    total_usable_ram_mb: MEMORY_MB.total,
    free_ram_mb: MEMORY_MB.total - MEMORY_MB.reserved - used.MEMORY_MB,
    total_usable_disk_gb: DISK_GB.total,
    free_disk_mb: 1024 * (DISK_GB.total - used.DISK_GB),
    num_instances: host.servers.size,
  };
  return known[name];
}

/** Each operator of JsonFilter compares its first argument with all others. */
const operators: Record<string, (first: unknown, other: unknown) => boolean> = {
  '=': (first, other) => first === other,
  '<': (first, other) => (first as number) < (other as number),
  '>': (first, other) => (first as number) > (other as number),
  '<=': (first, other) => (first as number) <= (other as number),
  '>=': (first, other) => (first as number) >= (other as number),
};

/** The result of a query such as `["and", [">=", "$free_ram_mb", 1024], ["=", "$host", "a"]]` on a host. */
function resultOf(query: unknown, lookUp: (name: string) => unknown): unknown {
  if (typeof query === 'string') return query.startsWith('$') ? lookUp(query.slice(1)) : query;
  if (!Array.isArray(query)) return query;
  const [operator, ...rest] = query;
  const values = rest.map((part: unknown) => resultOf(part, lookUp));
  if (operator === 'and') return values.every(Boolean);
  if (operator === 'or') return values.some(Boolean);
  if (operator === 'not') return values.map((value) => !value).some(Boolean);
  const [first, ...others] = values;
  if (operator === 'in') return others.includes(first);
  const compare = operators[String(operator)];
  return compare !== undefined && others.length > 0 && others.every((other) => compare(first, other));
}

const json: HostFilter = {
  name: 'JsonFilter',
  passes(host, { server }, context) {
    const [query] = server.schedulerHints.query ?? [];
    if (query === undefined || query === '') return true;
    return Boolean(resultOf(JSON.parse(query), (name) => attribute(host, context, name)));
  },
};

function numberOf(ip: string): number {
  return ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function firstHint(server: SimulatedServer, name: string): string | undefined {
  return server.schedulerHints[name]?.[0];
}

const nearHost: HostFilter = {
  name: 'SimpleCIDRAffinityFilter',
  passes(host, { server }) {
    const near = firstHint(server, 'build_near_host_ip');
    if (near === undefined) return true;
    const size = 2 ** (32 - Number((firstHint(server, 'cidr') ?? '/24').replace('/', '')));
    return Math.floor(numberOf(host.ip) / size) === Math.floor(numberOf(near) / size);
  },
};

/** Each filter accepts servers without its hint. */
export const hintFilters: readonly HostFilter[] = [differentHost, sameHost, json, nearHost];
