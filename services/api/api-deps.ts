import type { Gate } from '#libs/dependencies';
import type {
  ApprovalRule,
  AutomationRules,
  Clock,
  IdSource,
  Logger,
  OppositeAuditsMode,
  RandomSource,
} from '#libs/domain';
import type { ValueCache } from '#libs/dynamic-properties';
import type { DeadLetters, MessageBus } from '#libs/messaging';
import type { AllowedHosts } from '#libs/notification-targets';
import type { Cloud } from '#libs/openstack';
import type { Diagnostics } from '#libs/processes';
import type { Metrics, Readiness } from '#libs/service-kit';
import type { Store } from '#libs/store';
import type { Tracer } from '#libs/tracing';
import type { AccessDeps, ClientRates } from './auth/access-deps.ts';
import type { Policy } from './auth/policy.ts';
import type { StreamLimits } from './change-stream/stream-faults.ts';
import type { DashboardLinks } from './dashboard/dashboard-deps.ts';
import type { WebSso } from './dashboard/web-sso.ts';
import type { Parallelism, PlanDurations } from './durations/plan-durations.ts';
import type { EngineBus } from './http/call-engine.ts';

/** Parts that every request uses. */
interface WorkDeps {
  store: Store;
  logger: Logger;
  metrics: Metrics;
  /** Default: requests are not traced. */
  tracer?: Tracer;
  clock: Clock;
  newUuid: IdSource;
  /** Chooses generated names. Default: a clash is resolved by trying the next name. */
  random?: RandomSource;
  readiness: Readiness;
  /** Check and Status of this process. Default: derived from its readiness. */
  diagnostics?: Diagnostics;
  /** While the gate is closed, the API refuses requests that need the store or an identity. Default: always open. */
  gate?: Gate;
}

/** Sources of data that the API itself does not hold. */
interface PeerDeps {
  /** Calls the decision engine. Without it, requests that need the engine get 500. */
  bus?: EngineBus & Partial<Pick<MessageBus, 'subscribe'>>;
  /** Dead letters of the bus. Null or absent: there is no bus to check. */
  deadLetters?: DeadLetters | null;
  /** Reads live state of servers, hosts and volumes from the cloud. Null or absent: such properties are not offered. */
  cloud?: Pick<Cloud, 'compute' | 'volume' | 'baremetal' | 'hasBaremetalService'> | null;
  /** Where all processes keep dynamic properties. Null or absent: in the database. */
  propertyCache?: ValueCache | null;
}

/** How clients reach the API. */
export interface AddressDeps {
  /** URL under which clients reach the root document, with mount prefix. Default: taken from the `Host` header. */
  publicUrl?: string;
  /** Whether proxy headers determine generated URLs and client addresses. Default false. */
  proxyHeaders?: boolean;
  /** Addresses and networks of proxies whose headers are believed, and no others. Default: see `proxyHeaders`. */
  trustedProxies?: readonly string[];
  /**
   * `max-age` of `Strict-Transport-Security`. Default: one year when the public URL is https on port 443, else no
   * header.
   */
  hstsSeconds?: number;
  /** Origins of browsers that may call the API. Default: none. */
  corsOrigins?: readonly string[];
}

/** Limits on client requests. */
export interface LimitDeps {
  /** Client limits, read for each request. Default: none. */
  rates?: ClientRates;
  /** Requests a minute of one client by route, such as `POST /v1/audits`. Default none. */
  routeLimits?: ReadonlyMap<string, number>;
  /** Maximum rows in a list (`[api] max_limit`). Default 1000. */
  maxLimit?: number;
  /** Limits of the appliers, for estimates. Default: those of the configuration. */
  parallelism?(): Parallelism;
  /** How CONTINUOUS audits with opposite aims on the same hosts are treated. Default `allow`. */
  oppositeAudits?(): OppositeAuditsMode;
  /** Hosts of notification targets that need not be public. Default: none. */
  targetHosts?(): AllowedHosts;
  /** Rules for plans that need an approval before their start. Default: none. */
  approvalRules?(): readonly ApprovalRule[];
  /** Limits for plans that start automatically. Default: those of the configuration. */
  automationRules?(): AutomationRules;
  /** Change stream limits that differ from the defaults. */
  watch?: Partial<StreamLimits>;
}

/** The dashboard and its sessions. */
export interface DashboardParts {
  /** Folder of the built dashboard. Without it, `/dashboard/` explains how to build it. */
  dashboardFolder?: string;
  /** Idle time after which a session ends. 0 or absent: only its lifetime ends it. */
  sessionIdleSeconds?: number;
  /** Sign-in through Keystone's federation. Null or absent: none. */
  webSso?: WebSso | null;
  /** Time zone in which cron expressions are read. Default UTC. */
  cronTimeZone?: string;
  /** External pages that the dashboard links to. Default: none. */
  links?: DashboardLinks;
}

/** Parts from which the application is built. */
export interface ApiDeps extends WorkDeps, PeerDeps, AccessDeps, AddressDeps, LimitDeps, DashboardParts {}

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
  bus: EngineBus | null;
  webhooksAuth: boolean;
  oppositeAudits(): OppositeAuditsMode;
  targetHosts(): AllowedHosts;
  approvalRules(): readonly ApprovalRule[];
  automationRules(): AutomationRules;
}
