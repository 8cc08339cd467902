import { type MoveWay, moveRefusal, moveRules } from '#libs/domain';
import type { Aggregate, Cloud, ComputePort, Requester, StoragePool, VolumeType } from '#libs/openstack';
import { OpenStackError } from '#libs/openstack';
import type { FakeCall, FakeCaller, FakeMutationCall } from './fake-cloud/fake-caller.ts';
import { createFakeBaremetal, type FakeNode, fakeNode } from './fake-cloud/fake-nodes.ts';
import { createFakePlacement } from './fake-cloud/fake-placement.ts';
import { createFakeStorage, type FakeVolume, fakePool, fakeVolume } from './fake-cloud/fake-volumes.ts';
import { createMigrationRecords, type FakeMove } from './fake-cloud/migration-records.ts';
import { createPowerChanges } from './fake-cloud/power-changes.ts';
import {
  conditionOf,
  type FakeHost,
  type FakeServer,
  fakeFlavors,
  fakeHypervisor,
  fakeServer,
  fakeService,
  isUp,
} from './fake-cloud/world.ts';

/** A call that changed something, or tried to. */
export interface FakeMutation {
  call: FakeMutationCall;
  /** Id of the server, service, volume or node. */
  target: string;
  argument: string | null;
}

/** Fault that a test injects into a call: `before` its effect, or `after` it (the response gets lost). */
export interface FakeFault {
  call: FakeCall;
  when: 'before' | 'after';
  error: Error;
  /** Number of failing calls. Default 1. */
  times?: number;
}

/** A sent request whose response and effect are still pending. */
export interface LateRequest {
  /** Resolves when it has been sent. */
  sent: Promise<void>;
  /** Lets it take effect now. Returns why it is refused, or null. */
  land(): Error | null;
  /** Breaks its connection, so that its sender does not learn its outcome. It may land after that. */
  loseResponse(): void;
}

export interface FakeCloudOptions {
  hosts: (Partial<FakeHost> & { name: string })[];
  servers?: (Partial<FakeServer> & { uuid: string; host: string })[];
  aggregates?: { name: string; hosts: string[] }[];
  volumes?: (Partial<FakeVolume> & { uuid: string })[];
  /** Default `a@lvm#one` and `a@lvm#two`. */
  pools?: StoragePool[];
  types?: VolumeType[];
  nodes?: (Partial<FakeNode> & { uuid: string })[];
  /** Number of reads of a server that its migration takes, and of a volume or node that a change takes. Default 2. */
  pollsPerMigration?: number;
}

/** A scripted in-memory cloud that behaves like Nova for the calls that actions make. */
export interface FakeCloud extends Cloud {
  hosts: Map<string, FakeHost>;
  servers: Map<string, FakeServer>;
  volumes: Map<string, FakeVolume>;
  nodes: Map<string, FakeNode>;
  /** Every mutating call in order, including refused ones. */
  mutations: FakeMutation[];
  fail(fault: FakeFault): void;
  /** The next such call arrives late. */
  delay(call: FakeMutationCall): LateRequest;
  /** The next migration of the server ends in `status` with `fault`. */
  script(serverUuid: string, ending: { status: 'error' | 'cancelled'; fault?: string }): void;
  /** Migrations of the server do not progress until `release`. */
  hold(serverUuid: string): void;
  release(serverUuid: string): void;
  /** The compute service of the host restarts and removes the servers that were evacuated from it. */
  restartCompute(host: string): void;
  /** An operator clears `forced_down` of the host. Returns why Nova refuses, or null. */
  forceUp(host: string): Error | null;
  /** Another user starts a live migration. No mutation of ours. Returns why it is refused, or null. */
  migrateAsAnotherUser(serverUuid: string, host: string): Error | null;
  /** Time in the records of migrations from now on. Default: the present. */
  recordsFrom(time: Date): void;
  /** Awaited at the start of every call. */
  onCall(hook: (call: FakeCall, target: string) => Promise<void> | void): void;
  /** Most parallel migrations: in total, and by `source:` and `destination:` host. */
  peak(key?: string): number;
}

const ourselves: Requester = { userId: 'vigil', projectId: 'service' };
const anotherUser: Requester = { userId: 'admin', projectId: 'admin' };

/** Builds a cloud for tests. Time passes with the reads of a server, so that tests need no waiting. */
export function createFakeCloud(options: FakeCloudOptions): FakeCloud {
  const hosts = new Map(
    options.hosts.map((host) => [
      host.name,
      { status: 'enabled', reason: null, zone: 'nova', state: 'up', forcedDown: false, vcpus: 8, ...host } as FakeHost,
    ]),
  );
  const servers = new Map(
    (options.servers ?? []).map((server) => [
      server.uuid,
      { status: 'ACTIVE', taskState: null, fault: null, locked: false, flavor: 'small', ...server },
    ]),
  );
  const mutations: FakeMutation[] = [];
  const faults: (FakeFault & { left: number })[] = [];
  const reads = options.pollsPerMigration ?? 2;
  let createdAt: string | null = null;
  const book = createMigrationRecords(servers, reads, () => createdAt ?? new Date().toISOString());
  const power = createPowerChanges(reads, ({ uuid }) => servers.delete(uuid));
  const volumes = new Map((options.volumes ?? []).map((volume) => [volume.uuid, fakeVolume(volume)]));
  const nodes = new Map((options.nodes ?? []).map((node) => [node.uuid, fakeNode(node)]));
  const late: { call: FakeMutationCall; take(work: () => unknown): Promise<never> }[] = [];
  let hook: (call: FakeCall, target: string) => Promise<void> | void = () => undefined;

  async function call<Result>(name: FakeCall, target: string, work: () => Result): Promise<Result> {
    await hook(name, target);
    takeFault(name, 'before');
    const response = work();
    takeFault(name, 'after');
    return response;
  }

  function takeFault(name: FakeCall, when: FakeFault['when']): void {
    const fault = faults.find((candidate) => candidate.call === name && candidate.when === when && candidate.left > 0);
    if (!fault) return;
    fault.left -= 1;
    throw fault.error;
  }

  function serverOf(uuid: string): FakeServer {
    const server = servers.get(uuid);
    if (!server) throw refusal(404, `Instance ${uuid} could not be found.`);
    return server;
  }

  function begin(uuid: string, move: Omit<FakeMove, 'requester'>, requester = ourselves): { requestId: string } {
    const server = serverOf(uuid);
    const { type, destination: host } = move;
    const verb = verbs[type];
    const condition = conditionOf(server);
    const way = ways[type];
    const wrong = moveRefusal(way, condition);
    if (wrong !== null) {
      const found = { task_state: condition.taskState, vm_state: condition.vmState, power_state: condition.powerState };
      throw refusal(409, `Cannot '${verb}' instance ${uuid} while it is in ${wrong} ${found[wrong]}`);
    }
    const state = isUp(hosts.get(server.host) as FakeHost) ? 'up' : 'down';
    if (moveRules[way].sourceService !== state) {
      throw refusal(state === 'up' ? 400 : 409, `Compute service of ${server.host} is ${state}.`);
    }
    if (host !== null && !hosts.has(host)) throw refusal(400, `Compute host ${host} could not be found.`);
    if (host !== null && hosts.get(host)?.status === 'disabled') {
      throw refusal(400, `Compute service of ${host} is disabled.`);
    }
    const target =
      host ??
      [...hosts.values()].find((one) => one.name !== server.host && one.status === 'enabled' && isUp(one))?.name;
    return { requestId: book.begin(server, { ...move, destination: target ?? null, requester }) };
  }

  function changePower(uuid: string, to: 'ACTIVE' | 'SHUTOFF'): void {
    const server = serverOf(uuid);
    const from = to === 'SHUTOFF' ? 'ACTIVE' : 'SHUTOFF';
    if (server.taskState !== null || server.status !== from) {
      throw refusal(409, `Cannot change the power of instance ${uuid} while it is in status ${server.status}`);
    }
    power.begin(server, to);
  }

  const compute: ComputePort = {
    listHypervisors: () => call('listHypervisors', '', () => [...hosts.values()].map(fakeHypervisor)),
    findHypervisorByServiceHost: (host) =>
      call('findHypervisorByServiceHost', host, () => {
        const found = hosts.get(host);
        return found ? fakeHypervisor(found) : null;
      }),
    getHypervisor: (uuid) =>
      call(
        'getHypervisor',
        uuid,
        () => [...hosts.values()].map(fakeHypervisor).find((one) => one.uuid === uuid) ?? null,
      ),
    listServers: (filter) =>
      call('listServers', '', () =>
        [...servers.values()].filter((one) => !filter?.host || one.host === filter.host).map(fakeServer),
      ),
    getServer: (uuid) =>
      call('getServer', uuid, () => {
        const server = servers.get(uuid);
        if (!server) return null;
        book.look(server);
        power.look(server);
        return servers.has(uuid) ? fakeServer(server) : null;
      }),
    listServerShares: (uuid) =>
      call('listServerShares', uuid, () => {
        const shares = servers.get(uuid)?.shares ?? [];
        return servers.has(uuid) ? shares.map((shareId) => ({ shareId, status: 'active' })) : null;
      }),
    listServices: () => call('listServices', '', () => [...hosts.values()].map(fakeService)),
    listAggregates: () => call('listAggregates', '', () => (options.aggregates ?? []).map(fakeAggregate)),
    listServerGroups: () => call('listServerGroups', '', () => []),
    listFlavors: () => call('listFlavors', '', () => [...fakeFlavors]),
    getFlavor: (id) => call('getFlavor', id, () => fakeFlavors.find((flavor) => flavor.id === id) ?? null),
    listMigrations: ({ serverUuid }) => call('listMigrations', serverUuid, () => book.list(serverUuid)),
    listMigrationsSince: () => call('listMigrationsSince', '', () => book.all()),
    listServerMigrations: (uuid) => call('listServerMigrations', uuid, () => book.running(uuid)),
    listInstanceActions: (uuid) => call('listInstanceActions', uuid, () => book.actions(uuid)),
    getInstanceActionFault: (uuid, requestId) =>
      call('getInstanceActionFault', uuid, () => book.actionFault(uuid, requestId)),
    liveMigrate: (uuid, host) =>
      mutate('liveMigrate', uuid, host, () => begin(uuid, { type: 'live-migration', destination: host })),
    coldMigrate: (uuid, host) =>
      mutate('coldMigrate', uuid, host, () => begin(uuid, { type: 'migration', destination: host })),
    evacuate: (uuid, host) =>
      mutate('evacuate', uuid, host, () => begin(uuid, { type: 'evacuation', destination: host })),
    confirmResize: (uuid) =>
      mutate('confirmResize', uuid, null, () => {
        if (serverOf(uuid).status !== 'VERIFY_RESIZE') throw refusal(409, 'Instance has not been resized.');
        book.confirm(serverOf(uuid));
      }),
    revertResize: (uuid) =>
      mutate('revertResize', uuid, null, () => {
        if (serverOf(uuid).status !== 'VERIFY_RESIZE') throw refusal(409, 'Instance has not been resized.');
        book.revert(serverOf(uuid));
      }),
    resizeServer: (uuid, flavorId) =>
      mutate('resizeServer', uuid, flavorId, () => {
        const flavor = fakeFlavors.find((one) => one.id === flavorId);
        if (!flavor) throw refusal(400, `Flavor ${flavorId} could not be found.`);
        return begin(uuid, { type: 'resize', destination: null, flavor: flavor.name });
      }),
    deleteServer: (uuid) =>
      mutate('deleteServer', uuid, null, () => {
        power.begin(serverOf(uuid), 'DELETED');
        return { requestId: `req-${uuid}` };
      }),
    shelveServer: (uuid) =>
      mutate('shelveServer', uuid, null, () => {
        const server = serverOf(uuid);
        if (server.taskState !== null || !['ACTIVE', 'SHUTOFF'].includes(server.status)) {
          throw refusal(409, `Cannot 'shelve' instance ${uuid} while it is in status ${server.status}`);
        }
        power.begin(server, 'SHELVED_OFFLOADED');
        return { requestId: `req-${uuid}` };
      }),
    stopServer: (uuid) => mutate('stopServer', uuid, null, () => changePower(uuid, 'SHUTOFF')),
    startServer: (uuid) => mutate('startServer', uuid, null, () => changePower(uuid, 'ACTIVE')),
    abortLiveMigration: (uuid, id) =>
      mutate('abortLiveMigration', uuid, String(id), () => {
        if (!book.abort(serverOf(uuid), id)) throw refusal(400, `Migration ${id} is not running`);
      }),
    setServiceStatus: (id, status, reason) =>
      mutate('setServiceStatus', id, status, () => {
        const host = [...hosts.values()].find((one) => fakeService(one).id === id);
        if (!host) throw refusal(404, `Service ${id} could not be found.`);
        host.status = status;
        host.reason = status === 'disabled' ? reason : null;
        return status;
      }),
  };

  async function mutate<Result>(
    name: FakeMutation['call'],
    target: string,
    argument: string | null,
    work: () => Result,
  ): Promise<Result> {
    return call(name, target, () => {
      mutations.push({ call: name, target, argument });
      const delayed = late.findIndex((one) => one.call === name);
      return delayed < 0 ? work() : late.splice(delayed, 1)[0]?.take(work);
    }) as Promise<Result>;
  }

  function delay(name: FakeMutationCall): LateRequest {
    let isSent: () => void = () => undefined;
    let lose: (error: Error) => void = () => undefined;
    let effect: () => unknown = () => undefined;
    const sent = new Promise<void>((resolve) => {
      isSent = resolve;
    });
    late.push({
      call: name,
      take(work) {
        effect = work;
        isSent();
        return new Promise((_resolve, reject) => {
          lose = reject;
        });
      },
    });
    return {
      sent,
      land() {
        try {
          effect();
          return null;
        } catch (error) {
          return error as Error;
        }
      },
      loseResponse: () => lose(refusal(0, 'connection broken', true)),
    };
  }

  const caller: FakeCaller = { call, mutate };
  return {
    compute,
    placement: createFakePlacement({ hosts, servers, leftOn: book.leftOn }, caller),
    volume: createFakeStorage(
      { volumes, pools: options.pools ?? [fakePool('a@lvm#one'), fakePool('a@lvm#two')], types: options.types ?? [] },
      caller,
      reads,
    ),
    baremetal: createFakeBaremetal(nodes, caller, reads),
    identity: {
      token: async () => 'token',
      requester: async () => ourselves,
      validate: async () => null,
      signIn: async () => null,
      projects: async () => [],
      revoke: async () => undefined,
      endpoint: async () => null,
    },
    hasShareService: async () => [...servers.values()].some(({ shares = [] }) => shares.length > 0),
    hasVolumeService: async () => volumes.size > 0,
    hasBaremetalService: async () => nodes.size > 0,
    close: async () => {},
    hosts,
    servers,
    volumes,
    nodes,
    mutations,
    fail: (fault) => faults.push({ ...fault, left: fault.times ?? 1 }),
    delay,
    script: book.script,
    hold: book.hold,
    release: book.release,
    restartCompute: book.restart,
    forceUp(name) {
      const host = hosts.get(name);
      if (!host) return refusal(404, `Host ${name} could not be found.`);
      if (book.leftOn(name).length > 0) {
        return refusal(400, `Unable to force up host ${name} as \`done\` evacuation migration records remain.`);
      }
      host.forcedDown = false;
      return null;
    },
    migrateAsAnotherUser(uuid, destination) {
      try {
        begin(uuid, { type: 'live-migration', destination }, anotherUser);
        return null;
      } catch (error) {
        return error as Error;
      }
    },
    recordsFrom: (time) => {
      createdAt = time.toISOString();
    },
    onCall: (next) => {
      hook = next;
    },
    peak: book.peak,
  };
}

const verbs = {
  'live-migration': 'os-migrateLive',
  migration: 'migrate',
  resize: 'resize',
  evacuation: 'evacuate',
} as const;
const ways = {
  'live-migration': 'live',
  migration: 'cold',
  resize: 'cold',
  evacuation: 'evacuate',
} as const satisfies Record<string, MoveWay>;

function fakeAggregate({ name, hosts }: { name: string; hosts: string[] }, index: number): Aggregate {
  return { id: index + 1, uuid: `aggregate-${name}`, name, availabilityZone: null, hosts, metadata: {} };
}

/** A refusal as the compute client reports it. */
export function refusal(status: number, detail: string, ambiguous = false): OpenStackError {
  return new OpenStackError('compute', 'POST /servers/action', status, detail, { ambiguous });
}
