import { derivedUuid } from '#libs/world-file';
import { type AllocationLedger, resourceClasses } from '../../cloud/allocation-ledger.ts';
import type { Resources, SimulatedHost } from '../../cloud/entities.ts';

/** A resource class of Placement. */
export type ResourceClass = keyof Resources;

/** A resource provider: a compute node, or its graphics card. */
export interface Provider {
  uuid: string;
  name: string;
  host: SimulatedHost;
  /** Uuid of the compute node above a card. Null for a compute node. */
  parent: string | null;
  /** The classes in its inventory. */
  classes: readonly ResourceClass[];
  traits: readonly string[];
}

const onCard: ResourceClass = 'VGPU';
/** Classes of some hosts only. */
const optional: ReadonlySet<ResourceClass> = new Set(['PCPU', 'VGPU']);

/** The providers of a host, the compute node first. */
export function providersOf(host: SimulatedHost): Provider[] {
  const classes = resourceClasses.filter((name) => !optional.has(name) || host.inventory[name].total > 0);
  const node: Provider = {
    uuid: host.uuid,
    name: host.name,
    host,
    parent: null,
    classes: classes.filter((name) => name !== onCard),
    traits: host.traits,
  };
  if (!classes.includes(onCard)) return [node];
  const card: Provider = {
    uuid: derivedUuid(`${host.uuid}/card`),
    name: `${host.name}_pci_0000_06_00_0`,
    host,
    parent: host.uuid,
    classes: [onCard],
    traits: ['HW_GPU_API_VULKAN'],
  };
  return [node, card];
}

/** The rows of an inventory or of an allocation that belong to the provider. */
export function partOf<Value>(provider: Provider, rows: Readonly<Record<ResourceClass, Value>>): [string, Value][] {
  return provider.classes.map((name) => [name, rows[name]]);
}

/** Placement has no rows with amount 0. */
export function heldOf(provider: Provider, resources: Readonly<Resources>): Record<string, number> {
  return Object.fromEntries(partOf(provider, resources).filter(([, amount]) => amount > 0));
}

/** Capacity and use of a class of the host, computed as in Placement. */
export function roomOf(
  ledger: AllocationLedger,
  host: SimulatedHost,
  name: ResourceClass,
): { capacity: number; used: number } {
  const { total, reserved, allocationRatio } = host.inventory[name];
  return {
    capacity: Math.floor((total - reserved) * allocationRatio),
    used: ledger.usage(host)[name],
  };
}
