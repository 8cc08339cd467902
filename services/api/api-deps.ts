import type { Gate } from '#libs/dependencies';
import type { Clock, IdSource, Logger, RandomSource } from '#libs/domain';
import type { ValueCache } from '#libs/dynamic-properties';
import type { DeadLetters, MessageBus } from '#libs/messaging';
import type { Cloud, IdentityPort } from '#libs/openstack';
import type { Diagnostics } from '#libs/processes';
import type { Metrics, Readiness } from '#libs/service-kit';
import type { Store } from '#libs/store';
import type { Tracer } from '#libs/tracing';
import type { Policy } from './auth/policy.ts';
import type { StreamLimits } from './change-stream/stream-faults.ts';
import type { DashboardLinks } from './dashboard/dashboard-deps.ts';
import type { WebSso } from './dashboard/web-sso.ts';
import type { PlanDurations } from './durations/plan-durations.ts';

/** `keystone`: every request below `/v1` needs a valid token. `none`: identity headers are believed (loopback only). */
export type AuthMode = 'keystone' | 'none';

/** Parts that every request is answered with. */
interface WorkDeps {
  store: Store;
  logger: Logger;
  metrics: Metrics;
  /** Default: requests are not traced. */
  tracer?: Tracer;
  clock: Clock;
  newUuid: IdSource;
  /** Default: nothing is left to chance, and names are told apart by trying the next one. */
  random?: RandomSource;
  readiness: Readiness;
  /** Check and Status of this process. Default: what its readiness says. */
  diagnostics?: Diagnostics;
  /** While it is closed, requests that need the store or an identity are refused. Default: always open. */
  gate?: Gate;
}

/** Whom the API requests what it does not know itself. */
interface PeerDeps {
  /** Asks the decision engine. Without it, what only that knows is answered 500. */
  bus?: Pick<MessageBus, 'request'> & Partial<Pick<MessageBus, 'subscribe'>>;
  /** Messages of the bus that were given up. Null or absent: there is no bus to check. */
  deadLetters?: DeadLetters | null;
  /**
   * Asked for what only the cloud knows of servers, hosts and volumes. Null or absent: such properties are not offered.
   */
  cloud?: Pick<Cloud, 'compute' | 'volume'> | null;
  /** Where all processes keep dynamic properties. Null or absent: in the database. */
  propertyCache?: ValueCache | null;
}

/** Who may do what. */
export interface AccessDeps {
  /** Null only with `authMode` `none`. */
  identity: IdentityPort | null;
  authMode: AuthMode;
  /** URL of Keystone that the 401 names in `WWW-Authenticate`. Empty when not known. */
  authUri?: string;
  /** Default: Watcher's rules. */
  policy?: Policy;
  /** Longest time in seconds that a token is believed without asking Keystone again. Default 60. */
  tokenCacheSeconds?: number;
  /** Whether webhooks need a token and the policy. Default true. */
  webhooksAuth?: boolean;
  /** Text that `/metrics` wants. Default: everybody may read it. */
  metricsToken?: string | undefined;
}

/** How clients reach the API. */
export interface AddressDeps {
  /** URL under which clients reach the root document, with mount prefix. Default: taken from the `Host` header. */
  publicUrl?: string;
  /** Whether the headers of a proxy decide about generated URLs and the address of clients. Default false. */
  proxyHeaders?: boolean;
  /**
   * Of `Strict-Transport-Security`. Default: a year when the public URL is https at its own port, else it is not sent.
   */
  hstsSeconds?: number;
  /** Origins of browsers that may call. None by default. */
  corsOrigins?: readonly string[];
}

/** How much clients may request. */
export interface LimitDeps {
  /** Limits of clients, read for each request. None by default. */
  rates?: ClientRates;
  /** Requests a minute of one client by route, such as `POST /v1/audits`. Default none. */
  routeLimits?: ReadonlyMap<string, number>;
  /** Rows of a list at most (`[api] max_limit`), default 1000. */
  maxLimit?: number;
  /** Actions of one plan at once in the applier, for estimates. Default 8. */
  maxActionsPerPlan?(): number;
  /** Limits of the change stream that differ from the defaults. */
  watch?: Partial<StreamLimits>;
}

/** The dashboard and its sessions. */
export interface DashboardParts {
  /** Folder of the built dashboard. Without it `/dashboard/` says how to build it. */
  dashboardFolder?: string;
  /** A session ends after so long without use; 0 or absent: at its end. */
  sessionIdleSeconds?: number;
  /** Sign-in through Keystone's federation. Null or absent: none. */
  webSso?: WebSso | null;
  /** Time zone in which cron text is read. Default UTC. */
  cronTimeZone?: string;
  /** Where it links to. Default: nowhere. */
  links?: DashboardLinks;
}

/** Parts from which the application is built. */
export interface ApiDeps extends WorkDeps, PeerDeps, AccessDeps, AddressDeps, LimitDeps, DashboardParts {}

/** How often clients may ask; 0 (the default): without a limit. */
export interface ClientRates {
  /** Requests a minute and client: valid token or session, or else address. */
  perMinute?: number;
  /** Tokens a minute and address that Keystone may refuse before it is not asked any more. */
  unknownTokensPerMinute?: number;
}

/** Collaborators of the routes of a resource. */
export interface RouteDeps {
  store: Store;
  policy: Policy;
  clock: Clock;
  newUuid: IdSource;
  random: RandomSource;
  logger: Logger;
  maxLimit: number;
  /** Estimates of how long plans take. */
  durations: PlanDurations;
  bus: Pick<MessageBus, 'request'> | null;
  webhooksAuth: boolean;
}
