import type { Clock, IdSource, Logger } from '#libs/domain';
import type { IdentityPort } from '#libs/openstack';
import type { Metrics, Readiness } from '#libs/service-kit';
import type { Store } from '#libs/store';
import type { Policy } from '../auth/policy.ts';

/** `keystone`: every request below `/v1` needs a valid token. `none`: identity headers are believed (loopback only). */
export type AuthMode = 'keystone' | 'none';

/** What the application is built from. */
export interface ApiDeps {
  store: Store;
  /** Null only with `authMode` `none`. */
  identity: IdentityPort | null;
  authMode: AuthMode;
  /** URL of Keystone that the 401 names in `WWW-Authenticate`; empty when not known. */
  authUri?: string;
  logger: Logger;
  metrics: Metrics;
  /** URL under which clients reach the root document, with mount prefix; default: taken from the `Host` header. */
  publicUrl?: string;
  clock: Clock;
  newUuid: IdSource;
  readiness: Readiness;
  /** Rows of a list at most (`[api] max_limit`), default 1000. */
  maxLimit?: number;
}

/** What the routes of a resource work with. */
export interface RouteDeps {
  store: Store;
  policy: Policy;
  clock: Clock;
  newUuid: IdSource;
  logger: Logger;
  publicUrl: string | undefined;
  maxLimit: number;
}
