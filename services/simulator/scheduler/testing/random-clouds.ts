import { type ComputeSnapshot, heededHints, type PortNeed, type SchedulerHints } from '#libs/cluster-model';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import type { WorldFile, WorldHost, WorldServer } from '#libs/world-file';
import { buildCloudState } from '../../build-cloud-state.ts';
import { resourcesOf, type SimulatedHost } from '../../cloud/entities.ts';
import { derivedHex } from '../../identifiers.ts';
import { smallWorld } from '../../testing/simulation-fixture.ts';

/** Uniform numbers in [0, 1). */
export type Random = () => number;

/** A separate generator for a test. The same seed gives the same numbers. */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One entry of a non-empty list. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** Metadata key of random worlds for a state that world files cannot express: the server is migrating to that host. */
const onItsWay = 'on-its-way-to';
/** The same for a server in state `building`. */
const inBuild = 'in-build';

function randomHost(random: Random, index: number): WorldHost {
  const tpm = { COMPUTE_SECURITY_TPM_2_0: 0.8, COMPUTE_SECURITY_TPM_SECRET_SECURITY_HOST: 0.6 };
  const traits = { CUSTOM_SSD: 0.4, HW_NUMA_ROOT: 0.5, HW_CPU_HYPERTHREADING: 0.5, ...tpm };
  return {
    hostname: `compute-${index}`,
    vcpus: pick(random, [8, 16]),
    pcpus: pick(random, [0, 8, 16]),
    memory_mb: pick(random, [16_384, 32_768]),
    disk_gb: 500,
    cpu_allocation_ratio: pick(random, [1, 1.5, 4]),
    ram_allocation_ratio: pick(random, [1, 1.2]),
    reserved_memory_mb: pick(random, [0, 512]),
    zone: pick(random, ['east', 'east', 'west']),
    cell: pick(random, ['north', 'north', 'north', 'south']),
    traits: Object.entries(traits).flatMap(([trait, share]) => (random() < share ? trait : [])),
    status: random() < 0.1 ? 'disabled' : 'enabled',
    state: random() < 0.1 ? 'down' : 'up',
    forced_down: random() < 0.05,
    hypervisor_version: random() < 0.15 ? 8_000_000 : 7_002_000,
    cpu_arch: random() < 0.1 ? 'aarch64' : 'x86_64',
    cpu_model: random() < 0.06 ? 'EPYC' : 'Cascadelake-Server',
    ...(random() < 0.8 ? { cpu_address_bits: pick(random, [40, 46, 52]) } : {}),
  };
}

const dedicated = { 'hw:cpu_policy': 'dedicated' };

const specs: Record<string, string>[] = [
  {},
  {},
  {},
  {},
  {},
  { 'trait:CUSTOM_SSD': 'required' },
  { 'trait:CUSTOM_SSD': 'forbidden' },
  { 'aggregate_instance_extra_specs:fast': 'true' },
  { 'hw:mem_page_size': 'large' },
  dedicated,
  dedicated,
  { ...dedicated, 'hw:cpu_thread_policy': 'require' },
  { ...dedicated, 'hw:cpu_thread_policy': 'isolate', 'hw:emulator_threads_policy': 'isolate' },
  { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '0' },
  { 'resources:PCPU': '1', 'resources:VCPU': '0' },
  { 'hw:numa_nodes': '2' },
  { 'pci_passthrough:alias': 'gpu:1' },
  { 'hw:tpm_version': '2.0', 'hw:tpm_secret_security': 'host' },
  { 'hw:tpm_version': '2.0' },
  { 'capabilities:hypervisor_hostname': 's!= compute-1' },
  { hypervisor_version: '<= 7500000', 'capabilities:cpu_info:model': '<or> EPYC <or> Cascadelake-Server' },
  { 'hw:maxphysaddr_bits': '42' },
];

const images: Record<string, string>[] = [
  { hw_cpu_policy: 'dedicated' },
  { hw_numa_nodes: '1' },
  { hw_mem_page_size: '1GB' },
  { 'trait:CUSTOM_SSD': 'required' },
  { os_type: 'windows' },
  { os_type: 'linux' },
];

/** Pool of volumes that one host or all hosts can access. */
export const poolName = (isBound: boolean) => (isBound ? 'compute@local#lvm' : 'storage@ceph#rbd');

/** Most servers are running. Some are active although their guest has shut down. */
const conditions: Pick<WorldServer, 'state' | 'power_state'>[] = [
  ...(['active', 'active', 'active', 'active', 'active', 'active'] as const).map((state) => ({ state })),
  ...(['stopped', 'stopped', 'paused', 'paused', 'suspended', 'error'] as const).map((state) => ({ state })),
  { state: 'active', power_state: 4 },
];

/** Hints of a server, with servers of a lower or higher number. */
function randomHints(random: Random, count: number): WorldServer['scheduler_hints'] {
  const other = () => `vm-${Math.floor(random() * count)}`;
  const kind = random();
  if (kind < 0.4) return { different_host: [other(), other()] };
  if (kind < 0.8) return { same_host: random() < 0.5 ? other() : [other(), other()] };
  return kind < 0.9 ? { query: '["=", "$host", "compute-1"]' } : { build_near_host_ip: '10.0.0.1', cidr: '/30' };
}

function randomServer(random: Random, index: number, hosts: WorldHost[]): WorldServer {
  const metadata: Record<string, string> = { 'watcher-priority': pick(random, ['1', '5', '9']) };
  if (random() < 0.04) metadata[onItsWay] = pick(random, hosts).hostname;
  else if (random() < 0.03) metadata[inBuild] = 'true';
  return {
    name: `vm-${index}`,
    flavor: `f${Math.floor(random() * specs.length)}`,
    host: pick(random, hosts).hostname,
    project: pick(random, ['demo', 'other']),
    locked: random() < 0.05,
    metadata,
    image_properties: random() < 0.2 ? pick(random, images) : {},
    ...(random() < 0.1 ? { pinned_zone: 'east' } : {}),
    ...(random() < 0.1 ? { scheduler_hints: randomHints(random, hosts.length * 4) } : {}),
    ...pick(random, conditions),
    ...(random() < 0.05 ? { volumes: [`volume-${index}`] } : {}),
    ...(random() < 0.3
      ? { group: pick(random, ['apart', 'strictly apart', 'together', 'soft', 'soft together']) }
      : {}),
  };
}

/** One server in ten has a port with which Nova cannot move it. */
function addPorts(random: Random, servers: WorldServer[]): void {
  for (const server of servers.filter(() => random() < 0.1))
    server.ports = [
      {},
      pick(random, [{ vnic_type: 'accelerator-direct' }, { vnic_type: 'direct' }, { minimum_kbps: 1000 }]),
    ];
}

/** Requirement of the ports of a server in the model, strongest first. */
function needOf({ ports = [] }: WorldServer): PortNeed | undefined {
  if (ports.some(({ vnic_type }) => vnic_type === 'accelerator-direct')) return 'accelerator';
  if (ports.some(({ vnic_type }) => vnic_type === 'direct')) return 'device';
  return ports.some(({ minimum_kbps }) => minimum_kbps !== undefined) ? 'resources' : undefined;
}

/** A cloud with every constraint that the simulated Nova knows. */
export function randomWorld(random: Random): WorldFile {
  const hosts = Array.from({ length: 3 + Math.floor(random() * 8) }, (_, index) => randomHost(random, index));
  const some = () => hosts.filter(() => random() < 0.3).map(({ hostname }) => hostname);
  const flavors = specs.map((extra_specs, index) => ({
    name: `f${index}`,
    vcpus: pick(random, [1, 2, 4]),
    ram_mb: pick(random, [1024, 2048, 4096]),
    disk_gb: 10,
    extra_specs,
  }));
  const servers = Array.from({ length: hosts.length * 4 }, (_, index) => randomServer(random, index, hosts));
  const volumes = servers.flatMap((server) => server.volumes ?? []);
  addPorts(randomOf(servers.length * 17), servers);
  const onlySome = (metadata: Record<string, string>, share: number) => (random() < share ? metadata : {});
  return {
    ...smallWorld(servers),
    pools: [true, false].map((host_bound) => ({ name: poolName(host_bound), total_gb: 1000, host_bound })),
    volumes: volumes.map((name) => ({ name, size_gb: 1, pool: poolName(random() < 0.5) })),
    hosts,
    flavors,
    aggregates: [
      { name: 'fast', hosts: some(), metadata: { fast: 'true' } },
      { name: 'tenants', hosts: some(), metadata: onlySome({ filter_tenant_id: derivedHex('project/other') }, 0.3) },
      { name: 'reserved', hosts: some(), metadata: onlySome({ 'trait:CUSTOM_SSD': 'required' }, 0.2) },
      { name: 'windows', hosts: some(), metadata: onlySome({ os_type: 'windows,bsd' }, 0.5) },
    ],
    server_groups: [
      { name: 'apart', policy: 'anti-affinity', max_server_per_host: 2 },
      { name: 'strictly apart', policy: 'anti-affinity' },
      { name: 'together', policy: 'affinity' },
      { name: 'soft', policy: 'soft-anti-affinity' },
      { name: 'soft together', policy: 'soft-affinity' },
    ],
  };
}

/** Hints in the form of the collector, with the uuids of test worlds. */
function hintsOf({ scheduler_hints: given = {} }: WorldServer): SchedulerHints | undefined {
  const lists = Object.entries(given).map(([name, value]): [string, string[]] => {
    const values = [value].flat();
    return [name, name.endsWith('_host') ? values.map(testUuid) : values];
  });
  return heededHints(Object.fromEntries(lists)) ?? undefined;
}

/** Placement's use of a host of the simulated cloud, including incoming instances. */
function usedOn({ state, ledger }: ReturnType<typeof cloudOf>, hostname: string) {
  const used = ledger.usage(state.hosts.get(hostname) as SimulatedHost);
  return { vcpus: used.VCPU, dedicatedCpus: used.PCPU, memory: used.MEMORY_MB, disk: used.DISK_GB };
}

/** The simulated cloud of a random world, with running builds and migrations. */
export function cloudOf(world: WorldFile): ReturnType<typeof buildCloudState> {
  const built = buildCloudState(world);
  putInFlight(built);
  return built;
}

/** Starts the builds and migrations in the metadata of servers, see `onItsWay` and `inBuild`. */
export function putInFlight({ state, ledger }: ReturnType<typeof buildCloudState>): void {
  for (const server of state.servers.values()) {
    const destination = state.hosts.get(server.metadata[onItsWay] ?? '');
    if (destination !== undefined) {
      server.taskState = 'migrating';
      ledger.claim(`migration of ${server.uuid}`, destination, resourcesOf(server.flavor, server));
    } else if (server.metadata[inBuild] === 'true') {
      server.vmState = 'building';
      server.taskState = 'spawning';
    }
  }
}

/** The snapshot that the collector would read from it. */
export function snapshotOf(world: WorldFile): ComputeSnapshot {
  const bound = new Set((world.volumes ?? []).filter(({ pool }) => pool === poolName(true)).map(({ name }) => name));
  const cloud = cloudOf(world);
  return createTestWorld({
    hosts: world.hosts.map((host) => ({
      hostname: host.hostname,
      vcpus: host.vcpus,
      ...(host.pcpus === 0 ? {} : { dedicatedCpus: host.pcpus }),
      vcpusRatio: host.cpu_allocation_ratio,
      memory: host.memory_mb,
      memoryRatio: host.ram_allocation_ratio,
      memoryReserved: host.reserved_memory_mb,
      disk: host.disk_gb,
      zone: host.zone,
      cell: host.cell,
      hypervisor: { version: host.hypervisor_version, architecture: host.cpu_arch, cpuModel: host.cpu_model },
      capabilities: {
        hypervisor_hostname: host.hostname,
        hypervisor_version: String(host.hypervisor_version),
        'cpu_info:model': host.cpu_model ?? null,
        'cpu_info:maxphysaddr:bits': host.cpu_address_bits === undefined ? null : String(host.cpu_address_bits),
      },
      traits: host.traits,
      status: host.status,
      state: host.state,
      forcedDown: host.forced_down,
      used: usedOn(cloud, host.hostname),
      aggregates: (world.aggregates ?? []).filter(({ hosts }) => hosts.includes(host.hostname)).map(({ name }) => name),
    })),
    instances: world.servers.map((server) => {
      const flavor = world.flavors.find(({ name }) => name === server.flavor);
      const isInBuild = server.metadata?.[inBuild] === 'true';
      return {
        name: server.name,
        host: server.host,
        projectId: derivedHex(`project/${server.project}`),
        vcpus: flavor?.vcpus,
        memory: flavor?.ram_mb,
        disk: flavor?.disk_gb,
        locked: server.locked,
        metadata: server.metadata,
        state: isInBuild ? 'building' : server.state,
        powerState: server.power_state,
        busy: isInBuild || server.metadata?.[onItsWay] !== undefined,
        volumeBound: (server.volumes ?? []).some((name) => bound.has(name)),
        group: server.group,
        pinnedZone: server.pinned_zone,
        hints: hintsOf(server),
        ports: needOf(server),
        flavorExtraSpecs: flavor?.extra_specs,
        imageProperties: server.image_properties,
      };
    }),
    groups: (world.server_groups ?? []).map(({ name, policy, max_server_per_host }) => ({
      name,
      policy,
      maxServerPerHost: max_server_per_host,
    })),
    aggregates: world.aggregates,
  });
}
