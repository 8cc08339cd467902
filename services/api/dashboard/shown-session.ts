import type { ValidatedToken } from '#libs/openstack';
import { defaultRules } from '../auth/default-rules.ts';
import type { CallerIdentity } from '../http/request/request-context.ts';
import { closedRoutes } from '../route-rules.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { idleSecondsOf, type OpenSession } from './session-hook.ts';

/** Session as the page sees it. Without a project the page can only choose one. */
export function shownSession(deps: DashboardDeps, validated: ValidatedToken, session: Omit<OpenSession, 'token'>) {
  return {
    auth: 'keystone',
    signed_in: true,
    user: validated.userName,
    project: validated.projectName,
    project_id: validated.projectId,
    roles: validated.roles,
    expires_at: validated.expiresAt,
    permissions: permissionsOf(deps, validated),
    routes: closedRoutes(deps.policy, validated),
    cron_time_zone: deps.cronTimeZone,
    links: linksOf(deps),
    web_sso: deps.webSso?.choices ?? [],
    seconds_left: Math.floor(session.secondsLeft),
    ends_in: Math.floor(session.endsIn),
    idle_seconds: idleSecondsOf(deps),
  };
}

/** Response for a page without a session. */
export function noSession({ webSso }: DashboardDeps) {
  return { auth: 'keystone', signed_in: false, web_sso: webSso?.choices ?? [] };
}

/** Session of every caller when authentication is off. */
export function openSession(deps: DashboardDeps) {
  const caller = { userId: null, userName: null, projectId: null, projectName: null, roles: ['admin'] };
  return {
    auth: 'none',
    signed_in: true,
    user: null,
    project: null,
    project_id: null,
    roles: caller.roles,
    expires_at: null,
    permissions: permissionsOf(deps, caller),
    routes: closedRoutes(deps.policy, caller),
    cron_time_zone: deps.cronTimeZone,
    links: linksOf(deps),
    seconds_left: null,
    ends_in: null,
    idle_seconds: null,
  };
}

function linksOf({ links }: DashboardDeps) {
  return { grafana_host: links.grafanaHost, grafana_instance: links.grafanaInstance, horizon: links.horizon };
}

/** Names of the policy rules that allow the caller, so that the dashboard hides operations that would be refused. */
function permissionsOf({ policy }: DashboardDeps, caller: CallerIdentity): string[] {
  return Object.keys(defaultRules).filter((rule) => rule.includes(':') && policy.allows(rule, caller));
}
