import type { Aggregate, BaremetalNode, ComputeService, Hypervisor, Inventory } from '#libs/openstack';
import type { CrookedWorld } from './crooked-world.ts';
import type { Draw } from './draw.ts';

/** Projects of a random world. */
export const projects = ['project-a', 'project-b', 'project-c'];

const zones = ['az1', 'az2', 'az3'];
const traits = { CUSTOM_SSD: 0.4, HW_NUMA_ROOT: 0.3, HW_CPU_HYPERTHREADING: 0.5 };

/** vcpus, MiB and GiB. */
const hostSizes = [
  [16, 65_536, 1000],
  [32, 131_072, 2000],
  [64, 262_144, 2000],
] as const;

/** A uuid from its kind and number. */
export function uuidOf(kind: number, index: number): string {
  return `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

function inventoryOf(total: number, reserved: number, allocationRatio: number): Inventory {
  return { total, reserved, allocationRatio, minUnit: 1, maxUnit: total, stepSize: 1 };
}

/** Most hosts are up and enabled. Some are dead, forced down, or disabled by Vigil or an operator. */
function conditionOf(draw: Draw): Pick<ComputeService, 'state' | 'status' | 'forcedDown' | 'disabledReason'> {
  const fine = { state: 'up', status: 'enabled', forcedDown: false, disabledReason: null } as const;
  const dice = draw.unit();
  if (dice < 0.05) return { ...fine, state: 'down' };
  if (dice < 0.08) return { ...fine, state: 'down', forcedDown: true };
  if (dice < 0.13)
    return { ...fine, status: 'disabled', disabledReason: draw.pick(['watcher_disabled', 'bad disk', null]) };
  if (dice < 0.15) return { ...fine, state: 'down', status: 'disabled', disabledReason: 'dead' };
  return fine;
}

function inventoriesOf(draw: Draw): Record<string, Inventory> {
  const [vcpus, memory, disk] = draw.pick(hostSizes);
  const pinned = draw.chance(0.25) ? vcpus / 2 : 0;
  return {
    VCPU: inventoryOf(vcpus - pinned, draw.pick([0, 0, 0, 2]), draw.pick([1, 1.5, 4, 4])),
    ...(pinned > 0 ? { PCPU: inventoryOf(pinned, 0, 1) } : {}),
    MEMORY_MB: inventoryOf(memory, draw.pick([0, 512, 4096]), draw.pick([1, 1, 1.2])),
    DISK_GB: inventoryOf(disk, 0, draw.pick([1, 1, 2])),
    ...(draw.chance(0.1) ? { CUSTOM_GPU: inventoryOf(2, 0, 1) } : {}),
  };
}

/** Mixes of host models, from worlds that bought and upgraded all hosts at once to those that never did. */
const kinds: Pick<Hypervisor, 'hypervisorType' | 'hypervisorVersion' | 'cpu'>[] = [
  { hypervisorType: 'QEMU', hypervisorVersion: 8_002_000, cpu: { architecture: 'x86_64', model: 'Icelake-Server' } },
  { hypervisorType: 'QEMU', hypervisorVersion: 6_002_000, cpu: { architecture: 'x86_64', model: 'Icelake-Server' } },
  {
    hypervisorType: 'QEMU',
    hypervisorVersion: 8_002_000,
    cpu: { architecture: 'x86_64', model: 'Cascadelake-Server' },
  },
  { hypervisorType: 'QEMU', hypervisorVersion: 8_002_000, cpu: { architecture: 'aarch64', model: 'Neoverse-N1' } },
];

function addHost(world: CrookedWorld, draw: Draw, index: number, kind: (typeof kinds)[number]): void {
  const host = `compute-${String(index).padStart(2, '0')}`;
  const uuid = uuidOf(1, index);
  const condition = conditionOf(draw);
  const { state, status, disabledReason } = condition;
  world.services.push({
    id: uuidOf(2, index),
    host,
    binary: 'nova-compute',
    zone: draw.pick(zones),
    ...condition,
  });
  world.hypervisors.push({
    ...{ uuid, hypervisorHostname: `${host}.example.org`, serviceHost: host, serviceId: uuidOf(2, index) },
    ...{ ...kind, status, state, disabledReason, vcpus: null, memoryMb: null, localDiskGb: null },
  });
  world.inventories.set(uuid, inventoriesOf(draw));
  world.allocations.set(uuid, new Map());
  world.traits.set(
    uuid,
    Object.entries(traits).flatMap(([trait, share]) => (draw.chance(share) ? trait : [])),
  );
}

function addAggregates(world: CrookedWorld, draw: Draw): void {
  const kinds: [name: string, metadata: Record<string, string>, share: number][] = [
    ['plain', { cpu_allocation_ratio: '4' }, 0.5],
    ['fast', { fast: 'true,yes' }, 0.4],
    ['tenants', { filter_tenant_id: `${projects[0]}, ${projects[1]}`, filter_tenant_id2: 'project-z' }, 0.2],
    ['ssd only', { 'trait:CUSTOM_SSD': 'required' }, 0.1],
    ['windows', { os_type: 'windows,bsd' }, 0.2],
  ];
  const names = world.services.map(({ host }) => host);
  kinds.forEach(([name, metadata, share], row) => {
    if (!draw.chance(0.6)) return;
    const aggregate: Aggregate = {
      ...{ id: row + 1, uuid: uuidOf(6, row), name, availabilityZone: null, metadata },
      hosts: names.filter(() => draw.chance(share)),
    };
    world.aggregates.push(aggregate);
  });
}

function addMachines(world: CrookedWorld, draw: Draw): void {
  world.hypervisors.forEach(({ uuid, state }, index) => {
    if (draw.chance(0.2)) return;
    const isOn = state === 'up' || draw.chance(0.5);
    const node: BaremetalNode = {
      ...{
        uuid: uuidOf(5, index),
        name: `machine-${index}`,
        provisionState: 'active',
        lastError: null,
        powerChangedAt: null,
        extra: {},
      },
      powerState: isOn ? 'power on' : 'power off',
      targetPowerState: draw.chance(0.03) ? 'power off' : null,
      maintenance: draw.chance(0.05),
      maintenanceReason: null,
      computeNodeId: uuid,
    };
    world.machines.push(node);
  });
}

/** Hosts in three zones, with aggregates, cells in some worlds, and nodes for most of them. */
export function addHosts(world: CrookedWorld, draw: Draw, count: number): void {
  const variety = draw.pick([1, 1, 2, 3, 4]);
  for (let index = 0; index < count; index++) addHost(world, draw, index, draw.pick(kinds.slice(0, variety)));
  addAggregates(world, draw);
  if (draw.chance(0.2))
    for (const { host } of world.services) world.cells.set(host, draw.chance(0.75) ? 'cell1' : 'cell2');
  addMachines(world, draw);
}
