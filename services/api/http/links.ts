import type { FastifyRequest } from 'fastify';

/** One link of a body. */
export interface Link {
  href: string;
  rel: string;
}

/**
 * Base URLs of a request. `host` has no mount prefix and is used in object links and `next`; `app` has it and is used
 * in the discovery documents and `Location`.
 */
export interface BaseUrls {
  host: string;
  app: string;
}

/** Base URLs from `publicUrl` when configured, else from the `Host` header. */
export function baseUrls(request: FastifyRequest, publicUrl: string | undefined): BaseUrls {
  if (publicUrl) return { host: new URL(publicUrl).origin, app: publicUrl.replace(/\/+$/, '') };
  const host = `${request.protocol}://${request.host}`;
  return { host, app: host };
}

/** The two links of every object. */
export function objectLinks(host: string, collection: string, ident: string | number): Link[] {
  return [
    { href: `${host}/v1/${collection}/${ident}`, rel: 'self' },
    { href: `${host}/${collection}/${ident}`, rel: 'bookmark' },
  ];
}

/** The two links of a collection in the version document; both end in a slash. */
export function collectionLinks(app: string, collection: string): Link[] {
  return [
    { href: `${app}/v1/${collection}/`, rel: 'self' },
    { href: `${app}/${collection}/`, rel: 'bookmark' },
  ];
}
