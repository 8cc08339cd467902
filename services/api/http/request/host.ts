import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** `name`, `name:port`, `[v6]` or `[v6]:port`. */
const hostPattern = /^(\[[0-9a-f:.]+\]|[\w.~-]+)(?::(\d{1,5}))?$/i;

/**
 * The name or address in a `Host` header, in lower case and without brackets. Null when the text cannot be a host with
 * a port.
 */
export function hostnameOf(host: string): string | null {
  const name = hostPattern.exec(host)?.[1];
  if (name === undefined || !URL.canParse(`http://${host}`)) return null;
  return name.toLowerCase().replace(/^\[|\]$/g, '');
}

/** Whether a host is the local host, by name or address. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Address of the client: the peer, or with `proxyHeaders` the last entry of `X-Forwarded-For`, which the trusted proxy
 * added. Earlier entries come from the client and are ignored, as are entries that are not an address.
 */
export function clientAddress(request: Pick<FastifyRequest, 'headers' | 'ip'>, proxyHeaders: boolean): string {
  const header = request.headers['x-forwarded-for'];
  const text = Array.isArray(header) ? header.join() : header;
  const last = text?.split(',').at(-1)?.trim() ?? '';
  return proxyHeaders && isIP(last) !== 0 ? last : request.ip;
}
