import type { Server } from '#libs/openstack';
import type { CrookedWorld } from './crooked-world.ts';
import type { Draw } from './draw.ts';
import { amountsOf } from './nova-demands.ts';
import { claim, release } from './providers.ts';

function hypervisorOf(world: CrookedWorld, host: string | null): string {
  return world.hypervisors.find(({ serviceHost }) => serviceHost === host)?.uuid ?? '';
}

/** Nova has chosen the host, and the server does not report it yet. */
function building(server: Server): void {
  Object.assign(server, { vmState: 'building', status: 'BUILD', powerState: 0, taskState: 'scheduling', host: null });
  Object.assign(server, { hypervisorHostname: null, availabilityZone: null });
}

/** The host is building the guest. */
function spawning(server: Server): void {
  Object.assign(server, { vmState: 'building', status: 'BUILD', powerState: 0, taskState: 'spawning' });
}

/** A running migration holds the source, and the server holds the destination. */
function migrating(world: CrookedWorld, draw: Draw, server: Server, number: number): void {
  const amounts = amountsOf(server);
  const other = draw.pick(world.services).host;
  if (other === server.host) return;
  release(world, hypervisorOf(world, server.host), server.uuid);
  claim(world, hypervisorOf(world, server.host), `migration-under-way-${number}`, amounts);
  claim(world, hypervisorOf(world, other), server.uuid, amounts);
  Object.assign(server, { taskState: 'migrating', status: 'MIGRATING' });
}

/** An unconfirmed resize holds its former host for a revert. */
function resized(world: CrookedWorld, draw: Draw, server: Server, number: number): void {
  const other = draw.pick(world.services).host;
  const amounts = { ...amountsOf(server), MEMORY_MB: draw.pick([1024, server.flavor.ramMb]) };
  if (other !== server.host) claim(world, hypervisorOf(world, other), `resize-to-confirm-${number}`, amounts);
  Object.assign(server, { vmState: 'resized', status: 'VERIFY_RESIZE', powerState: 1, taskState: null });
}

/** It was evacuated recently, and the failed host has not cleaned up. */
function leftBehind(world: CrookedWorld, server: Server): void {
  const dead = world.services.find(({ state, host }) => state === 'down' && host !== server.host);
  if (dead !== undefined) claim(world, hypervisorOf(world, dead.host), server.uuid, amountsOf(server));
}

/** A failed build leaves a server in error on its host, without an allocation. */
function failed(world: CrookedWorld, server: Server): void {
  release(world, hypervisorOf(world, server.host), server.uuid);
  Object.assign(server, { vmState: 'error', status: 'ERROR', powerState: 0 });
}

/** A failed migration lost its allocation. It runs nevertheless. */
function forgotten(world: CrookedWorld, server: Server): void {
  release(world, hypervisorOf(world, server.host), server.uuid);
}

/** It no longer has a host or an allocation. */
function offloaded(world: CrookedWorld, server: Server): void {
  release(world, hypervisorOf(world, server.host), server.uuid);
  Object.assign(server, { vmState: 'shelved_offloaded', status: 'SHELVED_OFFLOADED', powerState: 4, host: null });
  Object.assign(server, { hypervisorHostname: null, availabilityZone: null });
}

type Operation = (world: CrookedWorld, draw: Draw, server: Server, number: number) => void;

const operations: Operation[] = [
  (_world, _draw, server) => building(server),
  (_world, _draw, server) => spawning(server),
  migrating,
  resized,
  (world, _draw, server) => leftBehind(world, server),
  (world, _draw, server) => failed(world, server),
  (world, _draw, server) => offloaded(world, server),
  (world, _draw, server) => forgotten(world, server),
];

/** Adds operations to a world: builds, migrations, unconfirmed resizes, and their remains. */
export function addOperations(world: CrookedWorld, draw: Draw): void {
  world.servers.forEach((server, number) => {
    if (server.vmState === 'resized') resized(world, draw, server, number);
    if (draw.chance(0.1)) draw.pick(operations)(world, draw, server, number);
  });
}
