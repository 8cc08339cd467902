import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ConfigurationError } from '#libs/domain';
import { createSemaphore } from '#libs/service-kit';

/** Networks that are not public, by the word for them. */
const refusedIpv4: Readonly<Record<string, readonly string[]>> = {
  unspecified: ['0.0.0.0/8'],
  loopback: ['127.0.0.0/8'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'],
  'link-local': ['169.254.0.0/16'],
  multicast: ['224.0.0.0/4'],
  reserved: [
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
  ],
};
/** Outside of these global ones everything is refused, with the word or as reserved. */
const globalIpv6 = ['2000::/3'];
const refusedIpv6: Readonly<Record<string, readonly string[]>> = {
  unspecified: ['::/128'],
  loopback: ['::1/128'],
  'IPv4-mapped': ['::ffff:0:0/96'],
  NAT64: ['64:ff9b::/96', '64:ff9b:1::/48'],
  private: ['fc00::/7', 'fec0::/10'],
  'link-local': ['fe80::/10'],
  multicast: ['ff00::/8'],
  // Teredo and 6to4 hold IPv4 addresses.
  reserved: ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
};

const lists = {
  4: listsOf(refusedIpv4, 'ipv4'),
  6: listsOf(refusedIpv6, 'ipv6'),
};
const global = listOf(globalIpv6, 'ipv6');

/** The word for an address that is not public, such as `loopback`. Null for a public one. */
export function refusalOfAddress(address: string): string | null {
  const plain = address.split('%')[0] ?? '';
  const family = isIP(plain);
  if (family === 0) return 'unknown';
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const found = lists[family as 4 | 6].find(([, list]) => list.check(plain, type));
  if (found) return found[0];
  return family === 6 && !global.check(plain, 'ipv6') ? 'reserved' : null;
}

/** The host resolves to an address that must not be called. It may be called once it is allowed by name. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';

  constructor(host: string, word: string) {
    super(`${host} has the ${word} address of a network that must not be called; allow the host by name to call it`);
  }
}

/** Hosts that may be called although they are not public. */
export interface AllowedHosts {
  /** Whether its addresses may be private. */
  isAllowed(host: string): boolean;
  /** Whether it may be called without TLS. */
  mayUseHttp(host: string): boolean;
}

const entryPattern = /^(http:\/\/)?([a-z0-9]([a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

/**
 * Reads `VIGIL_NOTIFICATION_ALLOWED_HOSTS`: `name` (its addresses may be private) and `http://name` (it may also be
 * called without TLS).
 * @throws ConfigurationError naming the first entry that is neither
 */
export function parseAllowedHosts(entries: readonly string[]): AllowedHosts {
  const names = new Map<string, boolean>();
  for (const entry of entries) {
    const [, scheme, host] = entryPattern.exec(entry.toLowerCase()) ?? [];
    if (host === undefined) {
      const hint = 'must list host names, such as chat.internal or http://chat.internal';
      throw new ConfigurationError([`VIGIL_NOTIFICATION_ALLOWED_HOSTS ${hint}, not "${entry}"`]);
    }
    names.set(host, scheme !== undefined || names.get(host) === true);
  }
  const named = (host: string) => names.get(host.toLowerCase().replace(/\.$/, ''));
  return { isAllowed: (host) => named(host) !== undefined, mayUseHttp: (host) => named(host) === true };
}

/** @throws RefusedAddressError for a host that is an address, is not public and is not allowed. */
export function requireCallable(hostname: string, allowed: AllowedHosts): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) === 0 || allowed.isAllowed(hostname)) return;
  const word = refusalOfAddress(address);
  if (word !== null) throw new RefusedAddressError(hostname, word);
}

/** Addresses of a name. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

/** Concurrent name resolutions. Each holds one of Node.js' four threads, which files and the database need too. */
const parallelLookups = 3;

/**
 * Resolves the name of each new connection, and returns addresses only when all of them may be called. The connection
 * goes to one of them, so that a second response of the DNS cannot lead elsewhere. Equal names are resolved
 * once at a time.
 * @param resolve default: as the system resolves names
 */
export function createCheckedLookup(
  allowed: AllowedHosts,
  resolve: Resolve = (host) => lookup(host, { all: true }),
): LookupFunction {
  const places = createSemaphore(parallelLookups);
  const running = new Map<string, ReturnType<Resolve>>();

  function resolveOnce(host: string): ReturnType<Resolve> {
    const one = running.get(host) ?? places.run(() => resolve(host)).finally(() => running.delete(host));
    running.set(host, one);
    return one;
  }

  async function check(host: string): ReturnType<Resolve> {
    const found = await resolveOnce(host);
    if (allowed.isAllowed(host)) return found;
    for (const { address } of found) {
      const word = refusalOfAddress(address);
      if (word !== null) throw new RefusedAddressError(host, word);
    }
    return found;
  }

  return (host, options, callback) => {
    check(host).then(
      (found) => {
        const [first] = found;
        if (first === undefined) callback(new Error(`${host} has no address`), '');
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}

function listsOf(networks: Readonly<Record<string, readonly string[]>>, type: 'ipv4' | 'ipv6'): [string, BlockList][] {
  return Object.entries(networks).map(([word, list]) => [word, listOf(list, type)]);
}

function listOf(networks: readonly string[], type: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), type);
  }
  return list;
}
