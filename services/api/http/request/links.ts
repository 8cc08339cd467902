import type { FastifyRequest } from 'fastify';
import { hostnameOf } from './host.ts';

/** One link of a body. */
export interface Link {
  href: string;
  rel: string;
}

/**
 * Base URLs of a request. `host` has no mount prefix and is used in object links and `next`. `app` has it and is used
 * in the discovery documents and `Location`.
 */
export interface BaseUrls {
  host: string;
  app: string;
}

/** Sources of base URLs. */
export interface BaseUrlOptions {
  /** URL under which clients reach the API, with mount prefix. */
  publicUrl?: string;
  /** Whether `Forwarded` and `X-Forwarded-*` are trusted. Only behind a proxy that sets them. */
  proxyHeaders?: boolean;
}

/**
 * Base URLs from `publicUrl` when configured, else from the headers of a trusted proxy, else from the `Host` header.
 */
export function baseUrls(
  request: Pick<FastifyRequest, 'protocol' | 'host' | 'headers'>,
  { publicUrl, proxyHeaders }: BaseUrlOptions,
): BaseUrls {
  if (publicUrl) return { host: new URL(publicUrl).origin, app: publicUrl.replace(/\/+$/, '') };
  const direct = {
    proto: request.protocol,
    host: request.headers.host !== undefined && hasGoodHost(request) ? request.host : nobody,
    prefix: '',
  };
  const { proto, host, prefix } = proxyHeaders ? { ...direct, ...forwarded(request) } : direct;
  const base = `${proto}://${host}`;
  return { host: base, app: `${base}${prefix}` };
}

/** Host for clients that send none, such as a proxy's HTTP/1.0 health check. */
const nobody = 'localhost';

/** Whether `Host` is a valid host, or absent as in HTTP/1.0. */
export function hasGoodHost({ host, headers }: Pick<FastifyRequest, 'host' | 'headers'>): boolean {
  return headers.host === undefined || hostnameOf(host) !== null;
}

interface Forwarded {
  proto?: string;
  host?: string;
  prefix?: string;
}

function forwarded(request: Pick<FastifyRequest, 'headers'>): Forwarded {
  const standard = firstOf(request, 'forwarded');
  const prefix = firstOf(request, 'x-forwarded-prefix')?.replace(/\/+$/, '');
  const given: Forwarded = standard
    ? standardForwarded(standard)
    : { proto: firstOf(request, 'x-forwarded-proto'), host: firstOf(request, 'x-forwarded-host') };
  return withoutNonsense({ ...given, prefix });
}

function standardForwarded(text: string): Forwarded {
  const pairs = text.split(';').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name.trim().toLowerCase(), value.join('=').trim().replace(/^"|"$/g, '')] as const;
  });
  const values = new Map(pairs);
  return { proto: values.get('proto'), host: values.get('host') };
}

/** Drops parts that are absent or invalid in a URL. */
function withoutNonsense({ proto, host, prefix }: Forwarded): Forwarded {
  return {
    ...(proto !== undefined && /^https?$/i.test(proto) ? { proto: proto.toLowerCase() } : {}),
    ...(host !== undefined && hostnameOf(host) !== null ? { host } : {}),
    ...(prefix !== undefined && /^\/[\w./~-]*$/.test(prefix) ? { prefix } : {}),
  };
}

/** The entry of the proxy nearest to the client. */
function firstOf(request: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value.split(',')[0]?.trim() : undefined;
}

const yearSeconds = 365 * 24 * 3600;

/**
 * Value of `Strict-Transport-Security`. Null where clients do not use https, or the header is disabled.
 * @param seconds default: a year on port 443. On another port, the host also serves other programs, which may have no
 * TLS.
 */
export function transportSecurity({ app }: BaseUrls, seconds?: number): string | null {
  if (!app.startsWith('https:')) return null;
  const maxAge = seconds ?? (new URL(app).port === '' ? yearSeconds : 0);
  return maxAge === 0 ? null : `max-age=${maxAge}`;
}

/** The two links of every object. */
export function objectLinks(host: string, collection: string, ident: string | number): Link[] {
  return [
    { href: `${host}/v1/${collection}/${ident}`, rel: 'self' },
    { href: `${host}/${collection}/${ident}`, rel: 'bookmark' },
  ];
}

/** The two links of a collection in the version document. Both end in a slash. */
export function collectionLinks(app: string, collection: string): Link[] {
  return [
    { href: `${app}/v1/${collection}/`, rel: 'self' },
    { href: `${app}/${collection}/`, rel: 'bookmark' },
  ];
}
