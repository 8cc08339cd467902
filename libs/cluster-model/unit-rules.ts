import type { Inventory } from '#libs/openstack';
import type { HostInfo, ResourceUnits } from './compute-snapshot.ts';
import type { ConstraintName } from './what-if.ts';

const classes = { vcpus: 'VCPU', dedicatedCpus: 'PCPU', memory: 'MEMORY_MB', disk: 'DISK_GB' } as const;
type Resource = keyof typeof classes;
const resources = Object.keys(classes) as Resource[];
const constraints: Record<Resource, ConstraintName> = {
  ...{ vcpus: 'vcpu', dedicatedCpus: 'dedicated-cpu', memory: 'memory', disk: 'disk' },
};

/** The limits of a host that differ from those of Nova. Undefined without a difference. */
export function readUnits(inventories: Record<string, Inventory> | null): HostInfo['units'] {
  const units: Partial<Record<Resource, ResourceUnits>> = {};
  for (const resource of resources) {
    const inventory = inventories?.[classes[resource]];
    if (inventory === undefined) continue;
    const { total, minUnit: least, maxUnit: most, stepSize: step } = inventory;
    if (least > 1 || step > 1 || most < total) units[resource] = { least, most, step };
  }
  return Object.keys(units).length === 0 ? undefined : units;
}

/** The resource of which Placement allocates no such amount to one instance, or null. A need of 0 requests nothing. */
export function unitRefusal(
  units: NonNullable<HostInfo['units']>,
  needs: Readonly<Record<Resource, number>>,
): ConstraintName | null {
  for (const resource of resources) {
    const limits = units[resource];
    const need = needs[resource];
    if (limits === undefined || need === 0) continue;
    if (need < limits.least || need > limits.most || need % limits.step !== 0) return constraints[resource];
  }
  return null;
}
