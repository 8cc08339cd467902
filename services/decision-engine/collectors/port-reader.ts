import type { ComputeModelInput } from '#libs/cluster-model';
import { type Clock, messageOf } from '#libs/domain';
import type { Cloud, CloudCallOptions, ServerPort } from '#libs/openstack';

/** The network ports of servers, and why they are not known. */
export type ReadPorts = Pick<ComputeModelInput, 'ports' | 'portsUnknown'>;

/** Reads the network ports of all servers, and keeps the list for a while. */
export interface PortReader {
  /**
   * Clouds without Neutron, and those whose Neutron does not respond in time, have no ports and a reason. Rejects only
   * when the signal fires.
   */
  read(cloud: Cloud, options: CloudCallOptions): Promise<ReadPorts>;
}

interface Options {
  clock: Clock;
  /** How long a list is used. Milliseconds. */
  maxAgeMs: number;
  /** Time for the whole list. Milliseconds, default 30 s. */
  mostMs?: number;
}

const defaultMostMs = 30_000;

/** Lists that are older than this many times their age limit are not used when Neutron does not respond. */
const mostAges = 6;

/** Starts without a list. */
export function createPortReader({ clock, maxAgeMs, mostMs = defaultMostMs }: Options): PortReader {
  let known: { ports: ServerPort[]; atMs: number } | null = null;

  const age = () => (known === null ? Number.POSITIVE_INFINITY : clock.now() - known.atMs);

  async function list(cloud: Cloud, options: CloudCallOptions): Promise<ReadPorts> {
    if (cloud.network === undefined || (await cloud.hasNetworkService?.(options)) !== true)
      return { portsUnknown: 'the catalogue has no network service' };
    known = { ports: await cloud.network.listServerPorts(options), atMs: clock.now() };
    return describe(known.ports);
  }

  return {
    async read(cloud, { signal }) {
      if (known !== null && age() < maxAgeMs) return describe(known.ports);
      const limit = AbortSignal.timeout(mostMs);
      try {
        return await list(cloud, { signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) });
      } catch (error) {
        signal?.throwIfAborted();
        if (known !== null && age() < maxAgeMs * mostAges) return describe(known.ports);
        const because = limit.aborted ? `no response within ${mostMs / 1000} s` : messageOf(error);
        return { portsUnknown: `Neutron could not list them: ${because}` };
      }
    },
  };
}

function describe(ports: ServerPort[]): ReadPorts {
  if (ports.length === 0) return { portsUnknown: 'Neutron lists no port of a server to these credentials' };
  if (ports.every(({ vnicType }) => vnicType !== null)) return { ports };
  return { ports, portsUnknown: 'Neutron does not show the kinds of all ports to these credentials' };
}
