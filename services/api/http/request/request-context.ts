import type { FastifyRequest } from 'fastify';
import type { BaseUrls } from './links.ts';

/** The caller of a request, as policies, messages and the audit log need it. */
export interface CallerIdentity {
  userId: string | null;
  userName: string | null;
  projectId: string | null;
  projectName: string | null;
  /** Domain of a domain-scoped token. */
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

/** The token of a request, for responses that outlive the initial check. */
export interface RequestCredentials {
  /** Milliseconds since 1970 at which it expires. */
  expiresAt: number;
  /**
   * Whether it is still valid. The result is at most `VIGIL_TOKEN_CACHE_SECONDS` old. @throws OpenStackError when
   * Keystone is unavailable
   */
  isValid(): Promise<boolean>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller. The authentication hook sets it before any handler runs. */
    caller: CallerIdentity;
    /** Minor version of the API that the client requested, 0 to 7. */
    microversion: number;
    /** URLs that generated links start with. */
    base: BaseUrls;
    /** Address of the client. With a trusted proxy, it is not the proxy's. */
    clientAddress: string;
    /** Credentials that a long-lived response must revalidate. Null when no token was checked. */
    credentials: RequestCredentials | null;
    /** Dashboard session that authenticates this request, by its key in the store. Null without one. */
    sessionHash: string | null;
  }
}

/**
 * The path for authorization: the pattern of the matched route, independent of the URL's spelling, or the URL if none
 * matched.
 */
export function routedPath({ routeOptions, url }: Pick<FastifyRequest, 'routeOptions' | 'url'>): string {
  return routeOptions.url ?? url;
}
