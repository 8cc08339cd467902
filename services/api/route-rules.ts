import type { Policy } from './auth/policy.ts';
import { entityKinds } from './change-stream/entity-kinds.ts';
import type { CallerIdentity } from './http/request/request-context.ts';

/**
 * Rules that a request needs, all of them. `public`: no token needed. `each kind`: the rule of each kind that it
 * follows. `alert token`: the alert token of the audit, and no identity.
 */
export type RouteRules = readonly string[] | 'public' | 'each kind' | 'alert token';

const kindRules = [...new Set(entityKinds.map(({ rule }) => rule))];
const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** `GET` list, detail and single of a collection. */
const reads = (collection: string, resource: string): Record<string, RouteRules> => ({
  [`GET /v1/${collection}`]: [`${resource}:get_all`],
  [`GET /v1/${collection}/detail`]: [`${resource}:detail`],
  [`GET /v1/${collection}/{ident}`]: [`${resource}:get`],
});

const preview = ['audit:create', 'action:get_all', 'data_model:get_all'];

/**
 * Routes outside of `/internal`, by method and path as in the OpenAPI document. A test compares them with the running
 * API.
 */
const publicSurface: Readonly<Record<string, RouteRules>> = {
  'GET /': 'public',
  'GET /v1': [],
  ...reads('goals', 'goal'),
  ...reads('strategies', 'strategy'),
  'GET /v1/strategies/{ident}/state': ['strategy:state'],
  ...reads('audit_templates', 'audit_template'),
  'POST /v1/audit_templates': ['audit_template:create'],
  'PATCH /v1/audit_templates/{ident}': ['audit_template:update'],
  'DELETE /v1/audit_templates/{ident}': ['audit_template:delete'],
  ...reads('audits', 'audit'),
  'POST /v1/audits': ['audit:create'],
  'PATCH /v1/audits/{ident}': ['audit:update'],
  'DELETE /v1/audits/{ident}': ['audit:delete'],
  'GET /v1/audits/{ident}/report': ['audit:get'],
  'GET /v1/audits/{ident}/search': ['audit:get'],
  'POST /v1/audits/{ident}/finish': ['audit:update'],
  'GET /v1/audits/{ident}/alert_token': ['audit:get'],
  'POST /v1/audits/{ident}/alert_token': ['audit:alert_token'],
  'PATCH /v1/audits/{ident}/alert_token': ['audit:alert_token'],
  'DELETE /v1/audits/{ident}/alert_token': ['audit:alert_token'],
  'POST /v1/audits/{ident}/alert_token/rotate': ['audit:alert_token'],
  'GET /v1/audits/{ident}/automation': ['audit:get'],
  // The second rule applies to levels that start plans.
  'PATCH /v1/audits/{ident}/automation': ['audit:update', 'action_plan:start'],
  'GET /v1/audits/{ident}/variants': ['action_plan:get_all', 'audit:get'],
  'POST /v1/audits/{ident}/plan': ['action_plan:get', 'audit:create'],
  'POST /v1/audits/preview': preview,
  'POST /v1/audits/compare': preview,
  ...reads('action_plans', 'action_plan'),
  // The second rule applies to the state PENDING, which starts the plan.
  'PATCH /v1/action_plans/{ident}': ['action_plan:update', 'action_plan:start'],
  'DELETE /v1/action_plans/{ident}': ['action_plan:delete'],
  'POST /v1/action_plans/{ident}/start': ['action_plan:start'],
  'GET /v1/action_plans/{ident}/duration': ['action_plan:get'],
  'GET /v1/action_plans/{ident}/outcome': ['action_plan:get'],
  'GET /v1/action_plans/{ident}/preview': ['action:get_all', 'data_model:get_all', 'action_plan:get'],
  'GET /v1/action_plans/{ident}/staleness': ['data_model:get_all', 'action_plan:get'],
  'GET /v1/action_plans/{ident}/timeline': ['action:get_all', 'action_plan:get'],
  'GET /v1/action_plans/{ident}/approval': ['action_plan:get'],
  'POST /v1/action_plans/{ident}/approve': ['action_plan:approve'],
  'POST /v1/action_plans/{ident}/refuse': ['action_plan:approve'],
  'GET /v1/action_plans/{ident}/comments': ['action_plan:get_comments', 'action_plan:get'],
  'POST /v1/action_plans/{ident}/comments': ['action_plan:comment', 'action_plan:get'],
  'POST /v1/action_plans/{ident}/pause': ['action_plan:update'],
  'POST /v1/action_plans/{ident}/resume': ['action_plan:update'],
  'POST /v1/action_plans/{ident}/abort': ['action_plan:update'],
  'GET /v1/action_plans/{ident}/rollback': ['action:get_all', 'action_plan:get'],
  'POST /v1/action_plans/{ident}/rollback': ['action_plan:start'],
  ...reads('actions', 'action'),
  'PATCH /v1/actions/{ident}': ['action:update'],
  'POST /v1/actions/{ident}/skip': ['action:update'],
  'GET /v1/actions/{ident}/reason': ['action:get'],
  ...reads('scoring_engines', 'scoring_engine'),
  ...reads('services', 'service'),
  'GET /v1/data_model': ['data_model:get_all'],
  'POST /v1/what_if': ['data_model:what_if'],
  'GET /v1/cluster/past': ['data_model:past'],
  'GET /v1/report': ['report:get'],
  'GET /v1/plugins': ['service:get_all'],
  'POST /v1/webhooks/{ident}': ['webhook:trigger'],
  'POST /v1/webhooks/alertmanager/{audit}': 'alert token',
  'GET /v1/notification_targets': ['notification_target:get_all'],
  'GET /v1/notification_targets/{ident}': ['notification_target:get'],
  'POST /v1/notification_targets': ['notification_target:create'],
  'PATCH /v1/notification_targets/{ident}': ['notification_target:update'],
  'POST /v1/notification_targets/{ident}/rotate': ['notification_target:update'],
  'POST /v1/notification_targets/{ident}/test': ['notification_target:test'],
  'DELETE /v1/notification_targets/{ident}': ['notification_target:delete'],
  'GET /v1/notification_deliveries': ['notification_target:get_all'],
  'GET /v1/notification_deliveries/{ident}': ['notification_target:get'],
  'POST /v1/notification_deliveries/{ident}/resend': ['notification_target:resend'],
  'GET /v1/watch': 'each kind',
  'POST /v1/watchers': 'each kind',
  // Each caller may use its own watchers.
  'GET /v1/watchers/{ident}/next': [],
  'DELETE /v1/watchers/{ident}': [],
};

/** Rules of the lists: the rules of the public routes that show the same data. */
export const listRules = {
  audits: ['audit:detail'],
  actionPlans: ['action_plan:detail', 'action:get_all'],
  moves: ['action:get_all', 'action_plan:get_all'],
  trends: ['action:get_all', 'action_plan:get_all'],
} as const;

/** Internal routes that show data of public routes, with those routes' rules. */
const internalSurface: Readonly<Record<string, RouteRules>> = {
  'GET /internal/lists/audits': listRules.audits,
  'GET /internal/lists/action-plans': listRules.actionPlans,
  'GET /internal/lists/action-plans/{plan}': listRules.actionPlans,
  'GET /internal/moves': listRules.moves,
  'GET /internal/trends': listRules.trends,
  'GET /internal/plan-ends': listRules.trends,
};

/** Rules of an operation such as `GET /v1/audits/{ident}`. Undefined when there is none of that name. */
export function rulesOfRoute(route: string): RouteRules | undefined {
  const [method = '', path = ''] = route.split(' ');
  if (Object.hasOwn(internalSurface, route)) return internalSurface[route];
  if (path.startsWith('/internal/')) return [readingMethods.has(method) ? 'internal:read' : 'internal:write'];
  return Object.hasOwn(publicSurface, route) ? publicSurface[route] : undefined;
}

/**
 * Read routes that a caller may not use, as in the OpenAPI document. `/internal/` stands for all unnamed routes below
 * it.
 */
export function closedRoutes(policy: Policy, caller: CallerIdentity): { closed: string[]; open: string[] } {
  const reading: [string, RouteRules][] = [
    ...Object.entries(publicSurface),
    ...Object.entries(internalSurface),
    ['GET /internal/', ['internal:read']],
  ];
  const found = { closed: [] as string[], open: [] as string[] };
  for (const [route, rules] of reading) {
    const [method, path = ''] = route.split(' ');
    if (method === 'GET' && rules !== 'each kind') found[mayUse(policy, rules, caller) ? 'open' : 'closed'].push(path);
  }
  return found;
}

/** Operations that need a rule only for some rows, besides their other rules. */
const routesOfSomeRows: Readonly<Record<string, readonly string[]>> = {
  /** Plans that delete or shelve instances. */
  'action_plan:remove_instances': ['PATCH /v1/action_plans/{ident}', 'POST /v1/action_plans/{ident}/start'],
};

/** Operations with a policy check. */
export function routesOfRule(rule: string): string[] {
  const internal = { 'internal:read': 'GET /internal/…', 'internal:write': 'other methods of /internal/…' }[rule];
  const routes = Object.entries({ ...publicSurface, ...internalSurface })
    .filter(([, rules]) =>
      rules === 'each kind' ? kindRules.includes(rule) : typeof rules !== 'string' && rules.includes(rule),
    )
    .map(([route]) => route);
  return [...(internal === undefined ? [] : [internal]), ...routes, ...(routesOfSomeRows[rule] ?? [])];
}

/**
 * Whether a caller may use an operation. Null: a caller without a token. With `each kind`: whether the caller may
 * follow any kind.
 */
export function mayUse(policy: Policy, rules: RouteRules, caller: CallerIdentity | null): boolean {
  if (rules === 'public') return true;
  // An identity does not replace the token.
  if (caller === null || rules === 'alert token') return false;
  if (rules === 'each kind') return kindRules.some((rule) => policy.allows(rule, caller));
  return rules.every((rule) => policy.allows(rule, caller));
}
