import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Hosts by their role in plans: servers move among `moving`, services on `switching` are disabled and enabled, nodes of
 * `powering` are powered off too.
 */
export const chaosHosts = {
  moving: names('compute', 12),
  switching: names('switched', 3),
  powering: names('powered', 3),
};

/** Pools of volumes. Each has room for all volumes. */
export const chaosPools = ['storage-1@lvm#one', 'storage-2@lvm#two', 'storage-3@lvm#three'];
const serversPerHost = 14;
const volumes = 40;

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
}

/**
 * A world with work for every type of action and room for every move, so that only faults make actions fail. Hosts of
 * `powering` are empty and disabled, because only such nodes are powered off.
 */
function chaosWorld(): object {
  const room = { vcpus: 64, memory_mb: 524_288, disk_gb: 8000, cpu_allocation_ratio: 16 };
  // Nova's scheduler must not choose a host that may be disabled when the server returns to it.
  const noRoom = { vcpus: 1, memory_mb: 1024, disk_gb: 1 };
  const disabled = { status: 'disabled', disabled_reason: 'watcher_disabled' };
  const flavor = (name: string, vcpus: number) => ({ name, vcpus, ram_mb: 1024 * vcpus, disk_gb: 10 });
  return {
    format: 'vigil-simulator-world',
    version: 1,
    name: 'chaos',
    hosts: [
      ...chaosHosts.moving.map((hostname) => ({ hostname, ...room })),
      ...chaosHosts.switching.map((hostname) => ({ hostname, ...noRoom })),
      ...chaosHosts.powering.map((hostname) => ({ hostname, ...noRoom, ...disabled })),
    ],
    flavors: [flavor('small', 1), flavor('large', 2)],
    servers: chaosHosts.moving.flatMap((host) =>
      Array.from({ length: serversPerHost }, (_, index) => ({
        name: `vm-${host}-${index + 1}`,
        flavor: 'small',
        host,
      })),
    ),
    volumes: Array.from({ length: volumes }, (_, index) => ({
      name: `volume-${index + 1}`,
      size_gb: 10,
      type: 'lvm',
      pool: chaosPools[index % chaosPools.length],
    })),
    volume_types: [{ name: 'lvm', extra_specs: { volume_backend_name: 'lvm' } }],
    pools: chaosPools.map((name) => ({ name, total_gb: 10_000, backend_name: 'lvm' })),
    baremetal_nodes: chaosHosts.powering.map((host) => ({ name: `node-${host}`, host })),
  };
}

/** Writes the world to a separate file. `remove` deletes it. */
export async function writeChaosWorld(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-chaos-'));
  const path = join(folder, 'world.json');
  await writeFile(path, JSON.stringify(chaosWorld()));
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
