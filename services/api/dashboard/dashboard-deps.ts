import type { Clock, Logger } from '#libs/domain';
import type { IdentityPort } from '#libs/openstack';
import type { Store } from '#libs/store';
import type { Policy } from '../auth/policy.ts';
import type { WebSso } from './web-sso.ts';

/** Pages of other programs that the dashboard links to. Null: none. */
export interface DashboardLinks {
  /** With `{host}` for the name of the host. */
  grafanaHost: string | null;
  /** With `{uuid}` and `{name}` of the instance. */
  grafanaInstance: string | null;
  /** Root of Horizon. */
  horizon: string | null;
}

/** Collaborators of the dashboard's part of the API. */
export interface DashboardDeps {
  store: Store;
  /** Null when authentication is off and no sign-in is needed. */
  identity: IdentityPort | null;
  policy: Policy;
  clock: Clock;
  logger: Logger;
  /** Idle time after which a session ends. 0 or absent: only its lifetime ends it. */
  sessionIdleSeconds?: number;
  /** Sign-in through Keystone's federation. Null: by password and application credential only. */
  webSso: WebSso | null;
  /** Time zone in which decision engines read cron expressions. */
  cronTimeZone: string;
  links: DashboardLinks;
}
