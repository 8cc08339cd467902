import { cpuInfoOf } from '../cloud/cpu-info.ts';
import type { SimulatedHost } from '../cloud/entities.ts';
import type { FilterContext, HostFilter } from './host-filter.ts';

/** The simulated part of Nova's host state. */
function hostState(host: SimulatedHost, { ledger }: FilterContext): Record<string, unknown> {
  const used = ledger.usage(host);
  return {
    host: host.name,
    nodename: host.name,
    hypervisor_hostname: host.name,
    uuid: host.uuid,
    hypervisor_type: 'QEMU',
    hypervisor_version: host.hypervisorVersion,
    host_ip: host.ip,
    cpu_info: cpuInfoOf(host),
    vcpus_total: host.inventory.VCPU.total,
    vcpus_used: used.VCPU,
    num_instances: host.servers.size,
  };
}

/** A value in Python's notation. */
function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => `'${String(one)}'`).join(', ')}]`;
  return String(value);
}

/** A requirement in the small language of extra specs. */
function meets(have: string, requirement: string): boolean {
  const [operator, operand = '', ...more] = requirement.split(' ').filter((word) => word !== '');
  switch (operator) {
    case '=':
    case '>=':
      return Number(have) >= Number(operand);
    case '<=':
      return Number(have) <= Number(operand);
    case '==':
      return Number(have) === Number(operand);
    case '!=':
      return Number(have) !== Number(operand);
    case 's==':
      return have === operand;
    case 's!=':
      return have !== operand;
    case '<in>':
      return have.includes(operand);
    case '<all-in>':
      return [operand, ...more].every((word) => have.includes(word));
    case '<or>':
      return [operand, ...more].some((word) => word !== '<or>' && word === have);
    default:
      return have === requirement;
  }
}

function requirements(extraSpecs: Record<string, string>, state: Record<string, unknown>): [string[], string][] {
  return Object.entries(extraSpecs).flatMap(([key, value]): [string[], string][] => {
    const scope = key.split(':');
    if (key === 'hw:maxphysaddr_bits') return [[['cpu_info', 'maxphysaddr', 'bits'], `>= ${value}`]];
    if (scope[0] === 'capabilities') return [[scope.slice(1), value]];
    return scope.length === 1 && key in state ? [[scope, value]] : [];
  });
}

/** A requirement for a capability that the host lacks is not met. */
export const capabilities: HostFilter = {
  name: 'ComputeCapabilitiesFilter',
  passes(host, { flavor }, context) {
    const state = hostState(host, context);
    return requirements(flavor.extraSpecs, state).every(([scope, requirement]) => {
      let found: unknown = state;
      for (const name of scope) found = (found as Record<string, unknown> | undefined)?.[name];
      return found !== undefined && found !== null && meets(printed(found), requirement);
    });
  },
};
