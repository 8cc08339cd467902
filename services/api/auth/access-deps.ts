import type { IdentityPort } from '#libs/openstack';
import type { Policy } from './policy.ts';

/**
 * `keystone`: every request below `/v1` needs a valid token. `none`: the API trusts identity headers (loopback only).
 */
export type AuthMode = 'keystone' | 'none';

/** Authorization of requests. */
export interface AccessDeps {
  /** Null only with `authMode` `none`. */
  identity: IdentityPort | null;
  authMode: AuthMode;
  /** URL of Keystone that the 401 names in `WWW-Authenticate`. Empty when unknown. */
  authUri?: string;
  /** Default: Watcher's rules. */
  policy?: Policy;
  /** Seconds for which a validated token is accepted without another call to Keystone. Default 60. */
  tokenCacheSeconds?: number;
  /** Whether webhooks need a token and the policy. Default true. */
  webhooksAuth?: boolean;
  /** Bearer token that `/metrics` requires. Default: public. */
  metricsToken?: string | undefined;
}

/** Request limits of clients. 0 (the default): unlimited. */
export interface ClientRates {
  /** Requests per minute and client: valid token or session, or else address. */
  perMinute?: number;
  /** Rejected tokens per minute and address before the API stops calling Keystone. */
  unknownTokensPerMinute?: number;
}
