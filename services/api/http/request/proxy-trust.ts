import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Proxies whose headers are believed. */
export interface ProxyTrust {
  /** Whether the proxy headers of this peer are believed. */
  trusts(peer: string): boolean;
  /**
   * Address of the client: the peer, or behind a trusted proxy the last entry of `X-Forwarded-For` that is not itself a
   * trusted proxy. Earlier entries come from the client and are ignored, as are entries that are not an address.
   */
  clientAddress(request: Pick<FastifyRequest, 'headers' | 'ip'>): string;
}

/** An address, or a network such as `10.0.0.0/8`. Undefined when the text is neither. */
export function parseNetwork(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const longest = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? longest : Number(bits);
  const isNetwork = version !== 0 && rest.length === 0 && /^\d*$/.test(bits ?? '') && prefix <= longest;
  return isNetwork && bits !== '' ? { address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' } : undefined;
}

/**
 * Trusts `proxies` (addresses and networks). Without any, every peer is trusted when `proxyHeaders` is true, and none
 * otherwise.
 */
export function createProxyTrust({
  proxyHeaders = false,
  trustedProxies = [],
}: {
  proxyHeaders?: boolean;
  trustedProxies?: readonly string[];
}): ProxyTrust {
  const known = new BlockList();
  for (const text of trustedProxies) {
    const network = parseNetwork(text);
    if (network) known.addSubnet(network.address, network.prefix, network.family);
  }
  const isListed = (address: string) => known.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const trusts = (peer: string) => (trustedProxies.length > 0 ? isListed(peer) : proxyHeaders);

  return {
    trusts,
    clientAddress({ headers, ip }) {
      if (!trusts(ip)) return ip;
      const header = headers['x-forwarded-for'];
      const text = Array.isArray(header) ? header.join() : (header ?? '');
      let client = ip;
      for (const entry of text.split(',').reverse()) {
        const address = entry.trim();
        if (isIP(address) === 0) break;
        client = address;
        if (trustedProxies.length === 0 || !isListed(address)) break;
      }
      return client;
    },
  };
}
