import type { Clock, Logger } from '#libs/domain';
import type { IdentityPort } from '#libs/openstack';
import type { Store } from '#libs/store';
import type { Policy } from '../auth/policy.ts';
import type { WebSso } from './web-sso.ts';

/** Pages of other programs that the dashboard links to. Null: there is none. */
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
  /** Null when authentication is off: nobody needs to sign in then. */
  identity: IdentityPort | null;
  policy: Policy;
  clock: Clock;
  logger: Logger;
  /** A session ends after so long without use; 0 or absent: at its end. */
  sessionIdleSeconds?: number;
  /** Sign-in through Keystone's federation. Null: by password and application credential only. */
  webSso: WebSso | null;
  /** Time zone in which decision engines read cron text. */
  cronTimeZone: string;
  links: DashboardLinks;
}
