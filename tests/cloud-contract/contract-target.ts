import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLogger } from '#libs/domain';
import type { Cloud, ComputeService, OpenStackConfig, Server } from '#libs/openstack';
import { createOpenStackCloud } from '#libs/openstack';
import type { Attach } from './attach-in-database.ts';
import { createParticipants, type Participants } from './cases/participants.ts';
import { type ContractService, expectedShapes } from './expected-shapes.ts';
import { createRawHttp, type RawHttp } from './raw-http.ts';
import { type Shape, shapeFaults } from './shape.ts';

/** A cloud under the contract, and the tools of its checks. */
export interface ContractTarget {
  cloud: Cloud;
  raw: RawHttp;
  config: OpenStackConfig;
  /** A client with other settings. Closed with the target. */
  connect(changes: Partial<OpenStackConfig>): Cloud;
  /** Fails unless `value` has the committed shape of `key`. */
  assertShape(service: ContractService, key: string, value: unknown): void;
  /** Repeats `read` until it returns a value, at most `slowSeconds`. Lets time pass between two calls. */
  until<T>(what: string, read: () => Promise<T | null | undefined | false>): Promise<T>;
  /** Keeps migrations of a simulated cloud from arriving while `read` runs. In a real cloud they take long enough. */
  whileUnderWay<T>(read: () => Promise<T>): Promise<T>;
  /** A running server without other operations that can be moved: the smallest, or the named one. */
  pickServer(): Promise<Server & { host: string }>;
  /** An enabled compute service on another host than `host`, with few servers. */
  pickDestination(host: string): Promise<ComputeService>;
  /**
   * Whether a server may be evacuated. A real cloud keeps traces of an evacuation until the compute service of its host
   * restarts.
   */
  mayEvacuate: boolean;
  /** Whether the node of a compute host may be powered off and on. */
  mayPowerOff: boolean;
  /** Whether Nova offers a microversion. */
  offersNova(microversion: string): Promise<boolean>;
  /** Whether outcomes of cases are written down instead of compared. */
  isRecording: boolean;
  /** Attaches a port of a type, or a share of Manila, to a server. Null where the cloud offers no way. */
  attach: Attach | null;
  /** The servers and identifiers of the cases. Created at the first call, and removed by `close`. */
  participants(): Promise<Participants>;
  close(): Promise<void>;
}

/**
 * Connects to the cloud that `config` describes. `serverUuid` names the server that checks may move. `letTimePass` runs
 * between two reads of the cloud: default 0.2 s of real time.
 */
export function createContractTarget(
  config: OpenStackConfig,
  options: {
    slowSeconds: number;
    serverUuid?: string | undefined;
    mayEvacuate?: boolean;
    mayPowerOff?: boolean;
    isRecording?: boolean;
    whileUnderWay?: ContractTarget['whileUnderWay'];
    letTimePass?: () => Promise<void>;
    attach?: Attach;
  },
): ContractTarget {
  const opened: Cloud[] = [];
  const { letTimePass = () => pause(200) } = options;
  const shapes = expectedShapes();

  function connect(changes: Partial<OpenStackConfig>): Cloud {
    const cloud = createOpenStackCloud({ ...config, ...changes }, { logger: silentLogger, clock: { now: Date.now } });
    opened.push(cloud);
    return cloud;
  }

  const cloud = connect({});

  async function movable(): Promise<(Server & { host: string })[]> {
    const servers = (await cloud.compute.listServers({})).filter(({ name }) => !name.startsWith('contract-'));
    const wanted = servers.filter((server) => options.serverUuid === undefined || server.uuid === options.serverUuid);
    const idle = wanted.filter((server) => server.status === 'ACTIVE' && server.taskState === null && !server.locked);
    return idle.flatMap((server) => (server.host === null ? [] : [{ ...server, host: server.host }]));
  }

  let participants: Promise<Participants> | null = null;
  const target: ContractTarget = {
    cloud,
    config,
    connect,
    raw: createRawHttp(cloud, config.authUrl),
    assertShape(service, key, value) {
      const shape: Shape | undefined = shapes[service][key];
      assert.ok(shape !== undefined, `no shape is committed for ${service} ${key}`);
      assert.deepEqual(shapeFaults(shape, value).slice(0, 20), [], `${service} ${key}`);
    },
    async until(what, read) {
      const end = Date.now() + options.slowSeconds * 1000;
      for (;;) {
        const found = await read();
        if (found !== null && found !== undefined && found !== false) return found;
        assert.ok(Date.now() < end, `${what} did not happen within ${options.slowSeconds} s`);
        await letTimePass();
      }
    },
    mayEvacuate: options.mayEvacuate ?? false,
    mayPowerOff: options.mayPowerOff ?? false,
    whileUnderWay: options.whileUnderWay ?? ((read) => read()),
    async pickServer() {
      const [smallest] = (await movable()).sort((a, b) => a.flavor.ramMb - b.flavor.ramMb);
      assert.ok(smallest !== undefined, 'the cloud has no idle ACTIVE server to move');
      return smallest;
    },
    async pickDestination(host) {
      const servers = await cloud.compute.listServers({});
      const load = (name: string) => servers.filter((server) => server.host === name).length;
      const open = (await cloud.compute.listServices()).filter(
        (service) => service.host !== host && service.status === 'enabled' && service.state === 'up',
      );
      const [emptiest] = open.sort((a, b) => load(a.host) - load(b.host));
      assert.ok(emptiest !== undefined, `the cloud has no enabled host besides ${host}`);
      return emptiest;
    },
    async offersNova(microversion) {
      return (await target.raw({ service: 'compute', path: '/servers?limit=1', microversion })).status !== 406;
    },
    isRecording: options.isRecording ?? false,
    attach: options.attach ?? null,
    participants() {
      participants ??= createParticipants(target);
      return participants;
    },
    async close() {
      await (await participants)?.remove();
      await Promise.all(opened.map((each) => each.close()));
    },
  };
  return target;
}
