import type { Draw } from '#libs/random-worlds';

/** A running server that others can name in their hints. */
interface Placed {
  uuid: string;
  host: string;
}

/** Objects of the cloud that a kind may refer to. */
export interface Place {
  /** Names of the enabled compute hosts. */
  hosts: readonly string[];
  /** Addresses of hypervisors (`host_ip`). */
  addresses: readonly string[];
  zones: readonly string[];
  /** Server groups by policy. */
  groups: ReadonlyMap<string, string>;
  /** Whether the cloud has block storage. */
  hasVolumes: boolean;
  /** Servers that run already. Not empty. */
  placed: readonly Placed[];
}

/** The fields by which a server differs from a plain one. */
export interface Peculiarity {
  fields?: object;
  hints?: Record<string, unknown>;
  extraSpecs?: Record<string, string>;
  /** Boots with an empty volume of 1 GiB in addition to its image. */
  withVolume?: boolean;
  /** Action of `POST /servers/{id}/action` after the boot, and the status that it leads to. */
  afterwards?: { action: object; status: string };
}

/** Draws the peculiarity of a server. Null where the cloud lacks something. */
type Kind = (place: Place, draw: Draw) => Peculiarity | null;

function group(policy: string): Kind {
  return ({ groups }) => {
    const id = groups.get(policy);
    return id === undefined ? null : { hints: { group: id } };
  };
}

/**
 * Kinds of servers whose destinations Nova limits, by the name that their servers carry. `plain` has no limit but room.
 * Keys and hints are those of Nova's own filters.
 */
export const serverKinds: Readonly<Record<string, Kind>> = {
  plain: () => ({}),
  different: ({ placed }, draw) => ({ hints: { different_host: [draw.pick(placed).uuid] } }),
  same: ({ placed }, draw) => ({ hints: { same_host: draw.pick(placed).uuid } }),
  query: ({ hosts }, draw) => {
    const named = draw.shuffled(hosts).slice(0, draw.whole(1, 2));
    return { hints: { query: JSON.stringify(['in', '$host', ...named]) } };
  },
  near: ({ addresses }, draw) => ({
    hints: { build_near_host_ip: draw.pick(addresses), cidr: draw.pick(['/32', '/20']) },
  }),
  capable: ({ hosts }, draw) => {
    const [first, second] = draw.shuffled(hosts);
    const names = draw.chance(0.5) || second === undefined ? `${first}` : `<or> ${first} <or> ${second}`;
    return { extraSpecs: { 'capabilities:hypervisor_hostname': names } };
  },
  version: () => ({ extraSpecs: { 'capabilities:hypervisor_version': '>= 1' } }),
  pinned: ({ zones }, draw) => ({ fields: { availability_zone: draw.pick(zones) } }),
  together: group('affinity'),
  apart: group('anti-affinity'),
  aside: group('soft-anti-affinity'),
  attached: ({ hasVolumes }) => (hasVolumes ? { withVolume: true } : null),
  stopped: () => ({ afterwards: { action: { 'os-stop': null }, status: 'SHUTOFF' } }),
  paused: () => ({ afterwards: { action: { pause: null }, status: 'PAUSED' } }),
  suspended: () => ({ afterwards: { action: { suspend: null }, status: 'SUSPENDED' } }),
  locked: () => ({ afterwards: { action: { lock: null }, status: 'ACTIVE' } }),
};
