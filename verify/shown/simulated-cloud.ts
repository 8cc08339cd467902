import type { TestStack } from '../../tests/system/test-stack.ts';

/**
 * A host of the simulated cloud, counted from its instances and inventories. One that has failed counts by its
 * allocations in Placement: those of evacuated instances stay until it is back.
 */
export interface CloudHost {
  name: string;
  enabled: boolean;
  /** Whether it runs: not switched off and not failed. */
  alive: boolean;
  instances: number;
  /** Sums of the flavors of its instances: CPUs, MiB, GiB. */
  vcpus: number;
  memory: number;
  disk: number;
  /** The same by inventory, reservation and ratio. */
  capacity: { vcpus: number; memory: number; disk: number };
  /** Percent of its CPUs. */
  cpuLoad: number;
}

/** An instance. */
export interface CloudServer {
  id: string;
  name: string;
  host: string;
  /** MiB. */
  memory: number;
}

/** The cloud at one moment. */
export interface CloudState {
  hosts: CloudHost[];
  servers: CloudServer[];
}

/** The simulated cloud as its operator sees it: reads and changes by plain requests, without code of Vigil. */
export interface SimulatedCloud {
  read(): Promise<CloudState>;
  /** Moves an instance and waits until it has arrived. Does nothing where Nova refuses the move. */
  move(serverId: string, host: string): Promise<void>;
  setHost(name: string, enabled: boolean): Promise<void>;
  /** Switches every node on and enables every host. */
  restore(): Promise<void>;
}

interface Server {
  id: string;
  name: string;
  status: string;
  'OS-EXT-SRV-ATTR:host': string;
  flavor: { vcpus: number; ram: number; disk: number };
}
interface Service {
  id: string;
  host: string;
  status: string;
}
interface Provider {
  uuid: string;
  name: string;
}
type Inventories = Record<string, { total: number; reserved: number; allocation_ratio: number } | undefined>;
type Usages = Record<string, number | undefined>;
interface State {
  hosts: { name: string; alive: boolean; cpu_percent: number }[];
  nodes: { uuid: string; power_state: string }[];
  migrations: { server: string; status: string }[];
}

const nova = { 'X-OpenStack-Nova-API-Version': '2.79' };
const placement = { 'OpenStack-API-Version': 'placement 1.30' };
const ironic = { 'X-OpenStack-Ironic-API-Version': '1.46' };
const pollMs = 50;
const limitMs = 60_000;

/** Requests to the services of the simulated cloud of a stack, as its administrator. */
export async function openSimulatedCloud(stack: TestStack): Promise<SimulatedCloud> {
  const token = await stack.issueToken();

  async function send<Result>(method: string, path: string, headers: object, body?: object): Promise<Result> {
    const response = await fetch(`${stack.simulator.url}${path}`, {
      method,
      headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json', ...headers },
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(limitMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as Result;
  }

  const services = async () =>
    (await send<{ services: Service[] }>('GET', '/compute/v2.1/os-services?binary=nova-compute', nova)).services;
  const listServers = async () =>
    (await send<{ servers: Server[] }>('GET', '/compute/v2.1/servers/detail?all_tenants=1', nova)).servers;
  const inventoriesOf = async ({ uuid }: Provider) =>
    (await send<{ inventories: Inventories }>('GET', `/placement/resource_providers/${uuid}/inventories`, placement))
      .inventories;

  const usagesOf = async ({ uuid }: Provider) =>
    (await send<{ usages: Usages }>('GET', `/placement/resource_providers/${uuid}/usages`, placement)).usages;

  async function setHost(name: string, enabled: boolean): Promise<void> {
    const known = (await services()).find(({ host }) => host === name);
    if (!known) throw new Error(`no compute service on ${name}`);
    const status = enabled ? 'enabled' : 'disabled';
    await send('PUT', `/compute/v2.1/os-services/${known.id}`, nova, { status });
  }

  /** Whether the last migration of an instance failed. */
  async function hasFailed(serverId: string): Promise<boolean> {
    const { migrations } = await stack.control<State>('/state');
    const last = migrations.filter(({ server }) => server === serverId).at(-1);
    return last?.status === 'error' || last?.status === 'failed';
  }

  return {
    setHost,
    async read() {
      const [state, servers, known, { resource_providers: providers }] = await Promise.all([
        stack.control<State>('/state?migrations=false'),
        listServers(),
        services(),
        send<{ resource_providers: Provider[] }>('GET', '/placement/resource_providers', placement),
      ]);
      const inventories = new Map(
        await Promise.all(providers.map(async (one) => [one.name, await inventoriesOf(one)] as const)),
      );
      const failed = state.hosts.filter(({ alive }) => !alive).map(({ name }) => name);
      const usages = new Map(
        await Promise.all(
          providers
            .filter(({ name }) => failed.includes(name))
            .map(async (one) => [one.name, await usagesOf(one)] as const),
        ),
      );
      return {
        hosts: state.hosts.map(({ name, alive, cpu_percent: cpuLoad }) => {
          const held = usages.get(name);
          const own = servers.filter((server) => server['OS-EXT-SRV-ATTR:host'] === name);
          const sum = (part: keyof Server['flavor']) => own.reduce((total, { flavor }) => total + flavor[part], 0);
          const room = (resource: string) => {
            const { total = 0, reserved = 0, allocation_ratio: ratio = 1 } = inventories.get(name)?.[resource] ?? {};
            return (total - reserved) * ratio;
          };
          return {
            name,
            enabled: known.find(({ host }) => host === name)?.status === 'enabled',
            alive,
            instances: own.length,
            vcpus: held?.VCPU ?? sum('vcpus'),
            memory: held?.MEMORY_MB ?? sum('ram'),
            disk: held?.DISK_GB ?? sum('disk'),
            capacity: { vcpus: room('VCPU'), memory: room('MEMORY_MB'), disk: room('DISK_GB') },
            cpuLoad,
          };
        }),
        servers: servers.map((server) => ({
          id: server.id,
          name: server.name,
          host: server['OS-EXT-SRV-ATTR:host'],
          memory: server.flavor.ram,
        })),
      };
    },
    async move(serverId, host) {
      const path = `/compute/v2.1/servers/${serverId}`;
      await send('POST', `${path}/action`, nova, { 'os-migrateLive': { host, block_migration: 'auto' } });
      const deadline = Date.now() + limitMs;
      for (;;) {
        const { server } = await send<{ server: Server }>('GET', path, nova);
        if (server['OS-EXT-SRV-ATTR:host'] === host && server.status === 'ACTIVE') return;
        if (server.status === 'ACTIVE' && (await hasFailed(serverId))) return;
        if (Date.now() > deadline) throw new Error(`${server.name} did not reach ${host}`);
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
    async restore() {
      const { nodes } = await stack.control<State>('/state?migrations=false');
      for (const { uuid, power_state: power } of nodes) {
        if (power === 'power on') continue;
        await send('PUT', `/baremetal/v1/nodes/${uuid}/states/power`, ironic, { target: 'power on' });
      }
      for (const { host, status } of await services()) if (status !== 'enabled') await setHost(host, true);
    },
  };
}
