import {
  type ComputeModelInput,
  completePort,
  type NeutronEvent,
  type PortNeed,
  portNeeds,
  type ReportedPort,
} from '#libs/cluster-model';
import { type Clock, messageOf } from '#libs/domain';
import type { Cloud, CloudCallOptions, PortListOptions, ServerPort } from '#libs/openstack';

/** The network ports of servers, or the reason why they are unknown. */
export type ReadPorts = Pick<ComputeModelInput, 'ports' | 'portsUnknown'>;

/** Needs by uuid of a server. Undefined when no port restricts it. */
export type ServerNeeds = ReadonlyMap<string, PortNeed | undefined>;

/** Reads and caches the network ports of all servers, and applies the notifications of Neutron. */
export interface PortReader {
  /**
   * Returns no ports and a reason when the cloud has no Neutron, or Neutron does not respond in time. Rejects only
   * when the signal fires.
   */
  read(cloud: Cloud, options: CloudCallOptions): Promise<ReadPorts>;
  /**
   * Applies a notification to the list. Idempotent. Does nothing without a list.
   * @returns the needs of the servers that the ports belong or belonged to. Null when the notification lacks facts:
   * then the next `read` lists again.
   */
  change(event: NeutronEvent): ServerNeeds | null;
  /** The need of a server in the list. Undefined when no port restricts it or there is no list. */
  needOf(serverUuid: string): PortNeed | undefined;
  /** Makes the next `read` list again, since notifications may have been missed. The old list remains the fallback. */
  expire(): void;
}

interface Options {
  clock: Clock;
  /** Time for which a list is used, in milliseconds. */
  maxAgeMs: number;
  /** Time limit of each page of the list, in milliseconds. Default 30 s. */
  pageMs?: number;
}

const defaultPageMs = 30_000;

/** Lists older than this multiple of their age limit are not used when Neutron does not respond. */
const mostAges = 6;

interface PortList {
  ports: Map<string, ServerPort>;
  atMs: number;
  isExpired: boolean;
}

/** Creates a reader without a list. */
export function createPortReader({ clock, maxAgeMs, pageMs = defaultPageMs }: Options): PortReader {
  let known: PortList | null = null;
  let expiries = 0;

  const age = () => (known === null ? Number.POSITIVE_INFINITY : clock.now() - known.atMs);

  async function list(cloud: Cloud, options: PortListOptions): Promise<ReadPorts> {
    const before = expiries;
    if (cloud.network === undefined || (await cloud.hasNetworkService?.(options)) !== true)
      return { portsUnknown: 'the catalogue has no network service' };
    const listed = await cloud.network.listServerPorts(options);
    const ports = new Map(listed.map((port) => [port.id, port]));
    known = { ports, atMs: clock.now(), isExpired: expiries !== before };
    return describe(known);
  }

  function needsOf(servers: ReadonlySet<string>): ServerNeeds {
    const ports = [...(known?.ports.values() ?? [])].filter(({ serverUuid }) => servers.has(serverUuid));
    const needs = portNeeds(ports);
    return new Map([...servers].map((uuid) => [uuid, needs.get(uuid)]));
  }

  return {
    async read(cloud, { signal }) {
      if (known !== null && !known.isExpired && age() < maxAgeMs) return describe(known);
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), pageMs);
      try {
        return await list(cloud, {
          signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
          onPage: () => timer.refresh(),
        });
      } catch (error) {
        signal?.throwIfAborted();
        if (known !== null && age() < maxAgeMs * mostAges) return describe(known);
        const because = late.signal.aborted ? `no response within ${pageMs / 1000} s` : messageOf(error);
        return { portsUnknown: `Neutron could not list them: ${because}` };
      } finally {
        clearTimeout(timer);
      }
    },
    change({ ports, deleted }) {
      if (known === null) return new Map();
      const servers = new Set<string>();
      const note = (id: string) => {
        const server = known?.ports.get(id)?.serverUuid;
        if (server !== undefined) servers.add(server);
      };
      if (deleted !== null) {
        note(deleted);
        known.ports.delete(deleted);
      }
      for (const port of ports) {
        note(port.id);
        if (!changePort(known, port)) return null;
        note(port.id);
      }
      return needsOf(servers);
    },
    needOf: (serverUuid) => needsOf(new Set([serverUuid])).get(serverUuid),
    expire() {
      expiries++;
      if (known !== null) known.isExpired = true;
    },
  };
}

/** Returns false when the notification lacks a fact about a new port of a server. Then the list expires. */
function changePort(list: PortList, port: ReportedPort): boolean {
  const before = list.ports.get(port.id);
  // Several workers of Neutron send their notifications in any order.
  if (isOlder(port, before)) return true;
  if (port.serverUuid === null) {
    list.ports.delete(port.id);
    return true;
  }
  const complete = completePort(port, port.serverUuid, before);
  if (complete === null) list.isExpired = true;
  else list.ports.set(port.id, complete);
  return complete !== null;
}

function isOlder({ revision }: ReportedPort, before: ServerPort | undefined): boolean {
  const known = before?.revision ?? null;
  return revision !== null && known !== null && revision < known;
}

function describe({ ports: byId }: PortList): ReadPorts {
  const ports = [...byId.values()];
  if (ports.length === 0) return { portsUnknown: 'Neutron lists no port of a server to these credentials' };
  if (ports.every(({ vnicType }) => vnicType !== null)) return { ports };
  return { ports, portsUnknown: 'Neutron does not show the kinds of all ports to these credentials' };
}
