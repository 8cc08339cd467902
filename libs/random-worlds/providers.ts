import type { Server } from '#libs/openstack';
import type { Amounts, CrookedWorld } from './crooked-world.ts';
import { amountsOf } from './nova-demands.ts';

/*
 * Placement's providers that serve a host: that of its hypervisor, those below it (physical GPUs), and those that share
 * with it (MISC_SHARES_VIA_AGGREGATE). Each class is taken from the first provider that has it.
 */

/** Uuids of all providers that serve a hypervisor, starting with that of the hypervisor. */
export function providersOf({ furtherProviders }: CrookedWorld, hypervisor: string): string[] {
  return [hypervisor, ...(furtherProviders.get(hypervisor) ?? [])];
}

/** The provider of the class for the hypervisor. Undefined when none has it. */
export function providerOf(world: CrookedWorld, hypervisor: string, kind: string): string | undefined {
  return providersOf(world, hypervisor).find((uuid) => world.inventories.get(uuid)?.[kind] !== undefined);
}

/** The shared storage with the server's disk that its host uses. Undefined when it has none there. */
export function sharedStorageOf(world: CrookedWorld, server: Server): string | undefined {
  const { uuid = '' } = world.hypervisors.find(({ serviceHost }) => serviceHost === server.host) ?? {};
  const provider = (amountsOf(server).DISK_GB ?? 0) === 0 ? undefined : providerOf(world, uuid, 'DISK_GB');
  return provider === uuid ? undefined : provider;
}

/** Amounts that a server takes from its host, without the disk that the host shares with others. */
export function ownAmountsOf(world: CrookedWorld, server: Server): Amounts {
  const { DISK_GB: disk = 0, ...amounts } = amountsOf(server);
  return disk === 0 || sharedStorageOf(world, server) !== undefined ? amounts : { ...amounts, DISK_GB: disk };
}

/** Adds the consumer's amounts on the hypervisor. Skips classes that no provider has. */
export function claim(world: CrookedWorld, hypervisor: string, consumer: string, amounts: Amounts): void {
  // A server at rest on a host has an allocation there, even if the host has none of its classes.
  world.allocations.get(hypervisor)?.set(consumer, { ...world.allocations.get(hypervisor)?.get(consumer) });
  for (const [kind, amount] of Object.entries(amounts)) {
    const held = world.allocations.get(providerOf(world, hypervisor, kind) ?? '');
    const before = held?.get(consumer);
    held?.set(consumer, { ...before, [kind]: (before?.[kind] ?? 0) + amount });
  }
}

/** Removes all allocations of the consumer at the providers of the hypervisor. */
export function release(world: CrookedWorld, hypervisor: string, consumer: string): void {
  for (const uuid of providersOf(world, hypervisor)) world.allocations.get(uuid)?.delete(consumer);
}

/** Hands all allocations of a consumer at the providers of the hypervisor to another consumer. */
export function handOver(world: CrookedWorld, hypervisor: string, from: string, to: string): void {
  for (const uuid of providersOf(world, hypervisor)) {
    const consumers = world.allocations.get(uuid);
    const held = consumers?.get(from);
    if (held === undefined) continue;
    consumers?.delete(from);
    consumers?.set(to, held);
  }
}
