import type { Inventory, Server, ServerPort } from '#libs/openstack';
import type { CrookedWorld } from './crooked-world.ts';
import { createDraw, type Draw } from './draw.ts';
import { amountsOf } from './nova-demands.ts';
import { claim } from './providers.ts';
import { projects, uuidOf } from './random-hosts.ts';

function inventoryOf(total: number, maxUnit = total): Inventory {
  return { total, reserved: 0, allocationRatio: 1, minUnit: 1, maxUnit, stepSize: 1 };
}

const tpmTraits = { COMPUTE_SECURITY_TPM_2_0: 0.8, COMPUTE_SECURITY_TPM_SECRET_SECURITY_HOST: 0.6 };

/** Properties of flavors and images with an emulated TPM, with and without a secret that others may read. */
const tpms: [specs: Record<string, string>, properties: Record<string, string>][] = [
  [{ 'hw:tpm_version': '2.0', 'hw:tpm_model': 'tpm-crb' }, {}],
  [{ 'hw:tpm_version': '2.0', 'hw:tpm_secret_security': 'user' }, {}],
  [{ 'hw:tpm_version': '2.0', 'hw:tpm_secret_security': 'host' }, {}],
  [{ 'hw:tpm_version': '2.0', 'hw:tpm_secret_security': 'host' }, {}],
  [{ 'hw:tpm_version': '2.0', 'hw:tpm_secret_security': 'deployment' }, {}],
  [{}, { hw_tpm_version: '2.0' }],
];

/** Emulated TPMs on some hosts and in some servers. */
function addTpms(world: CrookedWorld, draw: Draw): void {
  for (const traits of world.traits.values())
    for (const [trait, share] of Object.entries(tpmTraits)) if (draw.chance(share)) traits.push(trait);
  for (const server of world.servers) {
    if (!draw.chance(0.3)) continue;
    const [specs, properties] = draw.pick(tpms);
    server.flavor = { ...server.flavor, extraSpecs: { ...server.flavor.extraSpecs, ...specs } };
    if (!server.bootedFromVolume) server.imageProperties = { ...server.imageProperties, ...properties };
  }
}

/** Virtual GPUs: Placement holds them on a provider below that of the hypervisor. */
function addGpus(world: CrookedWorld, draw: Draw): void {
  world.hypervisors.forEach(({ uuid, serviceHost }, index) => {
    if (!draw.chance(0.4)) return;
    const gpu = uuidOf(8, index);
    world.furtherProviders.set(uuid, [gpu]);
    world.inventories.set(gpu, { VGPU: inventoryOf(4) });
    world.allocations.set(gpu, new Map());
    const residents = world.servers.filter(({ host }) => host === serviceHost);
    for (const server of residents.slice(0, draw.whole(0, 4))) {
      server.flavor = { ...server.flavor, extraSpecs: { ...server.flavor.extraSpecs, 'resources:VGPU': '1' } };
      if (world.allocations.get(uuid)?.has(server.uuid)) claim(world, uuid, server.uuid, { VGPU: 1 });
    }
  });
}

/** Disks that hosts share as one provider. */
interface Pool {
  uuid: string;
  taken: Map<string, Record<string, number>>;
  used: number;
}

function takeDisks({ taken }: Pool, held: Map<string, Record<string, number>>): number {
  let sum = 0;
  for (const [consumer, { DISK_GB: disk = 0, ...amounts }] of held) {
    held.set(consumer, amounts);
    sum += disk;
    if (disk > 0) taken.set(consumer, { DISK_GB: (taken.get(consumer)?.DISK_GB ?? 0) + disk });
  }
  return sum;
}

function addPool(world: CrookedWorld, draw: Draw, { uuid, taken, used }: Pool): void {
  const total = Math.max(1, used + draw.pick([0, 30, 100, 400, 5000]));
  world.inventories.set(uuid, { DISK_GB: inventoryOf(total, draw.pick([total, total, Math.min(total, 80)])) });
  world.allocations.set(uuid, taken);
}

/**
 * One or two providers hold the disks of all hosts, or of those of one zone. Occasionally one is nearly full, or gives
 * only small pieces.
 */
function shareDisks(world: CrookedWorld, draw: Draw): void {
  const zone = draw.chance(0.3) ? draw.pick(world.services).zone : null;
  // Separate draws, so that the rest of the world stays the same.
  const apart = createDraw(world.seed ^ 0xd15c);
  const pools = [0, 1].map((row): Pool => ({ uuid: uuidOf(9, row), taken: new Map(), used: 0 }));
  const second = apart.chance(0.5) ? 1 : 0;
  for (const [row, { uuid, serviceHost }] of world.hypervisors.entries()) {
    if (zone !== null && world.services.find(({ host }) => host === serviceHost)?.zone !== zone) continue;
    const { DISK_GB: _, ...inventory } = world.inventories.get(uuid) ?? {};
    const pool = pools[(row % 2) * second] as Pool;
    world.inventories.set(uuid, inventory);
    world.furtherProviders.set(uuid, [...(world.furtherProviders.get(uuid) ?? []), pool.uuid]);
    pool.used += takeDisks(pool, world.allocations.get(uuid) ?? new Map());
  }
  addPool(world, draw, pools[0] as Pool);
  if (second === 1) addPool(world, apart, pools[1] as Pool);
}

function machineOf(index: number): Server {
  const extraSpecs = { 'resources:CUSTOM_BAREMETAL': '1', 'resources:VCPU': '0' };
  return {
    ...{ uuid: uuidOf(11, index), name: `metal-${index}`, vmState: 'active', powerState: 1, status: 'ACTIVE' },
    ...{ host: 'ironic-0', hypervisorHostname: uuidOf(10, index), taskState: null, fault: null, locked: false },
    ...{ projectId: projects[0] as string, metadata: {}, bootedFromVolume: false, imageProperties: {} },
    ...{ attachedVolumeIds: [], serverGroupIds: [], created: '2026-01-01T00:00:00Z' },
    availabilityZone: 'az1',
    flavor: {
      ...{ id: null, name: 'metal', vcpus: 32, ramMb: 65_536, diskGb: 400, ephemeralGb: 0, swapMb: 0 },
      extraSpecs,
    },
  };
}

/** A compute service for bare metal: each of its nodes is a hypervisor, with a server or without. */
function addBareMetal(world: CrookedWorld, draw: Draw): void {
  const condition = { state: 'up', status: 'enabled', disabledReason: null } as const;
  const id = uuidOf(2, 999);
  world.services.push({
    ...{ id, host: 'ironic-0', binary: 'nova-compute', zone: 'az1', forcedDown: false, ...condition },
  });
  for (let index = 0; index < 3; index++) {
    const uuid = uuidOf(10, index);
    world.hypervisors.push({
      ...{ uuid, hypervisorHostname: uuid, serviceHost: 'ironic-0', serviceId: id, ...condition },
      ...{ hypervisorType: 'ironic', hypervisorVersion: 1, vcpus: null, memoryMb: null, localDiskGb: null },
    });
    world.inventories.set(uuid, { CUSTOM_BAREMETAL: inventoryOf(1) });
    world.allocations.set(uuid, new Map());
    world.traits.set(uuid, []);
    if (!draw.chance(0.6)) continue;
    const server = machineOf(index);
    world.servers.push(server);
    claim(world, uuid, server.uuid, amountsOf(server));
  }
}

/** Hints to the scheduler, of about one server in ten: the places of those in hints of hosts may break them already. */
function addHints(world: CrookedWorld, draw: Draw): void {
  const uuids = world.servers.map(({ uuid }) => uuid);
  const some = () => Array.from({ length: draw.whole(1, 2) }, () => draw.pick(uuids));
  for (const server of world.servers) {
    const neighbours = world.servers.filter((other) => other !== server && other.host === server.host);
    const beside = neighbours.length > 0 && draw.chance(0.7) ? [draw.pick(neighbours).uuid] : some();
    const dice = draw.unit();
    server.schedulerHints = {};
    if (dice < 0.04) server.schedulerHints = { different_host: some() };
    else if (dice < 0.08) server.schedulerHints = { same_host: beside };
    else if (dice < 0.09) server.schedulerHints = { query: ['[">=", "$free_ram_mb", 1024]'] };
    else if (dice < 0.1) server.schedulerHints = { build_near_host_ip: ['10.0.0.1'], cidr: ['/24'] };
  }
}

/** Shares of Manila, of one server in ten. */
function addShares(world: CrookedWorld, draw: Draw): void {
  for (const { uuid } of world.servers) world.shares.set(uuid, draw.chance(0.1));
}

/** Every server has a port. Of one in ten it needs an accelerator, a device of the host or bandwidth. */
function addPorts(world: CrookedWorld, draw: Draw): void {
  const special: Pick<ServerPort, 'vnicType' | 'hasResourceRequest'>[] = [
    ...['accelerator-direct', 'accelerator-direct-physical', 'direct', 'direct-physical', 'macvtap', 'vdpa'].map(
      (vnicType) => ({ vnicType, hasResourceRequest: false }),
    ),
    { vnicType: 'normal', hasResourceRequest: true },
  ];
  const add = (serverUuid: string, kind: (typeof special)[number]) =>
    world.ports.push({ id: `port-${world.ports.length}`, revision: 1, serverUuid, ...kind });
  for (const { uuid } of world.servers) {
    add(uuid, { vnicType: 'normal', hasResourceRequest: false });
    if (draw.chance(0.1)) add(uuid, draw.pick(special));
  }
}

const capabilitySpecs: Record<string, string>[] = [
  { 'capabilities:cpu_info:arch': 'x86_64' },
  { 'capabilities:cpu_info:model': '<or> Icelake-Server <or> Cascadelake-Server' },
  { hypervisor_version: '>= 8000000' },
  { 'capabilities:hypervisor_hostname': 's!= host-1' },
  { 'capabilities:cpu_info:maxphysaddr:bits': '>= 42' },
  { num_instances: '<= 20' },
];

/** Capabilities in the flavors of one server in ten. */
function addCapabilities(world: CrookedWorld, draw: Draw): void {
  for (const hypervisor of world.hypervisors) {
    const { cpu } = hypervisor;
    if (cpu) hypervisor.cpuInfo = { arch: cpu.architecture, model: cpu.model };
  }
  for (const server of world.servers) {
    if (!draw.chance(0.1)) continue;
    server.flavor = { ...server.flavor, extraSpecs: { ...server.flavor.extraSpecs, ...draw.pick(capabilitySpecs) } };
  }
}

/** Racks as aggregates with a label that no flavor names. Some hosts have none. */
function addRacks(world: CrookedWorld, draw: Draw): void {
  const racks = ['r1', 'r2', 'r3'].slice(0, draw.whole(2, 3));
  const rackOf = new Map(world.services.map(({ host }) => [host, draw.chance(0.9) ? draw.pick(racks) : null]));
  for (const [row, rack] of racks.entries()) {
    const hosts = [...rackOf].flatMap(([host, own]) => (own === rack ? [host] : []));
    const names = { id: 100 + row, uuid: uuidOf(12, row), name: `rack ${rack}`, availabilityZone: null };
    world.aggregates.push({ ...names, metadata: { rack }, hosts });
  }
}

/**
 * Properties of clouds that few servers or hosts have: racks, shares, network ports, capabilities, hints to the
 * scheduler, shared storage, virtual GPUs, emulated TPMs, bare metal among the compute nodes.
 */
export function addPeculiarities(world: CrookedWorld, draw: Draw): void {
  for (const add of [addTpms, addGpus, shareDisks, addBareMetal]) if (draw.chance(0.2)) add(world, draw);
  if (world.seed % 2 === 0) addShares(world, createDraw(world.seed ^ 0x54a2));
  addCapabilities(world, createDraw(world.seed ^ 0xca9a));
  if (world.seed % 3 !== 0) addPorts(world, createDraw(world.seed ^ 0x9027));
  addHints(world, createDraw(world.seed ^ 0x4127));
  if (world.seed % 2 === 1) addRacks(world, createDraw(world.seed ^ 0x7ac3));
}
