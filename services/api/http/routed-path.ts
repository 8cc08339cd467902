import type { FastifyRequest } from 'fastify';

/**
 * The path by which a request is judged: the pattern of the route that it matched, however its URL was written, or the URL that
 * matched none.
 */
export function routedPath({ routeOptions, url }: Pick<FastifyRequest, 'routeOptions' | 'url'>): string {
  return routeOptions.url ?? url;
}
