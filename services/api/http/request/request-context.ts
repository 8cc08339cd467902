import type { FastifyRequest } from 'fastify';
import type { BaseUrls } from './links.ts';

/** Who makes a request, as far as policies, messages and the audit log need to know. */
export interface CallerIdentity {
  userId: string | null;
  userName: string | null;
  projectId: string | null;
  projectName: string | null;
  /** Of a domain-scoped token. */
  domainId?: string | null;
  /** `all` with a system-scoped token. */
  systemScope?: string;
  roles: readonly string[];
}

/** Caller of a public route. */
export const anonymousCaller: CallerIdentity = {
  userId: null,
  userName: null,
  projectId: null,
  projectName: null,
  roles: [],
};

/** The token of a request, for answers that outlive the check at their start. */
export interface RequestCredentials {
  /** Milliseconds since 1970 at which it expires. */
  expiresAt: number;
  /**
   * Whether it is still valid, as of `VIGIL_TOKEN_CACHE_SECONDS` ago at most. @throws OpenStackError when Keystone
   * cannot be asked
   */
  isValid(): Promise<boolean>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls. Set by the authentication hook before any handler runs. */
    caller: CallerIdentity;
    /** Minor version of the API that the client requested, 0 to 7. */
    microversion: number;
    /** URLs that generated links start with. */
    base: BaseUrls;
    /** Where the client is. With a trusted proxy not the proxy. */
    clientAddress: string;
    /** Credentials that a response that lasts has to check again. Null when nobody has checked a token. */
    credentials: RequestCredentials | null;
    /** Session of the dashboard that stands for a token in this request, as the store knows it. Null without one. */
    sessionHash: string | null;
  }
}

/**
 * The path by which a request is judged: the pattern of the route that it matched, however its URL was written, or the
 * URL that matched none.
 */
export function routedPath({ routeOptions, url }: Pick<FastifyRequest, 'routeOptions' | 'url'>): string {
  return routeOptions.url ?? url;
}
