import { dataOf, type VigilClient } from '#libs/client';

/** Objects that the pages of the dashboard show. */
export interface PageSubjects {
  host: string;
  instance: string;
  audit: string;
  plan: string;
}

type Request = (client: VigilClient) => Promise<unknown>;

const day = 86_400;
const hour = 3600;

/** Followed by every page. */
const liveKinds = [
  'goal',
  'strategy',
  'audit_template',
  'audit',
  'action_plan',
  'action',
  'service',
  'data_model',
  'service_instance',
  'resource_graph',
  'dead_letters',
] as const;
const streamLimitMs = 30_000;

async function readFirstState(client: VigilClient): Promise<void> {
  for await (const { isComplete } of client.watch({ kinds: liveKinds, open: true, maxDownMs: streamLimitMs }))
    if (isComplete) return;
}

function internal(...paths: readonly string[]): Request[] {
  return paths.map((path) => (client) => client.internal('GET', `/${path}`));
}

/** A window of charts in seconds that ends at the next full hour, as parameters. */
function windowOf(seconds: number): string {
  const end = Math.ceil(Date.now() / 1000 / hour) * hour;
  return `start=${end - seconds}&end=${end}`;
}

/**
 * Reads of the API when each page of the dashboard opens, by page, and the first state of the stream that all pages
 * follow. A page sends them concurrently.
 */
export function pageRequests({ host, instance, audit, plan }: PageSubjects): Record<string, Request[]> {
  const list = 'sort=created&dir=desc&page=1&limit=20';
  const ofAudit = { params: { path: { ident: audit } } };
  const ofPlan = { params: { path: { ident: plan } } };
  const now = Date.now();
  const at = (secondsAgo: number) => new Date(now - 1000 * secondsAgo).toISOString();
  return {
    'first state': [readFirstState],
    overview: internal(
      'cluster/summary?hosts=false',
      'deployment',
      'services',
      'history/spread',
      'lists/action-plans?state=OPEN&sort=urgency&limit=10',
      'lists/audits?limit=6',
      'lists/audits?state=FAILED&sort=updated&limit=3',
      'lists/action-plans?state=FAILED&sort=updated&limit=3',
    ),
    cluster: internal('cluster/summary', 'history/spread'),
    'cluster, a week': internal('cluster/summary', `history/spread?${windowOf(7 * day)}`),
    host: internal(
      `cluster/hosts/${host}`,
      `history/hosts/${host}`,
      `forecasts/hosts/${host}?hours=24`,
      `moves?host=${host}&page=1&limit=20`,
      'cluster/summary',
      'properties',
      `properties/host/${host}/state`,
      `properties/host/${host}/hypervisor`,
    ),
    instance: internal(
      `cluster/instances/${instance}`,
      `history/instances/${instance}`,
      `moves?instance=${instance}&limit=20`,
      'properties',
      `properties/server/${instance}/state`,
      `properties/server/${instance}/migration`,
    ),
    search: internal('cluster/find?q=compute-1&kinds=host,instance&limit=8'),
    audits: internal(`lists/audits?${list}`),
    audit: [
      ...internal(`lists/action-plans?audit=${audit}`),
      (client) => client.get('audits', audit),
      (client) => dataOf(client.api.GET('/v1/audits/{ident}/report', ofAudit)),
      (client) => dataOf(client.api.GET('/v1/audits/{ident}/automation', ofAudit)),
      (client) => dataOf(client.api.GET('/v1/audits/{ident}/variants', ofAudit)),
    ],
    plans: internal(`lists/action-plans?${list}`),
    plan: [
      ...internal(`lists/action-plans/${plan}`, `lists/action-plans?undoes=${plan}`),
      (client) => client.get('action_plans', plan),
      (client) => client.list('actions', { filters: { action_plan_uuid: plan } }),
      (client) => dataOf(client.api.GET('/v1/action_plans/{ident}/outcome', ofPlan)),
      (client) => dataOf(client.api.GET('/v1/action_plans/{ident}/approval', ofPlan)),
      (client) => dataOf(client.api.GET('/v1/action_plans/{ident}/comments', ofPlan)),
      (client) => dataOf(client.api.GET('/v1/action_plans/{ident}/timeline', ofPlan)),
      (client) => dataOf(client.api.GET('/v1/action_plans/{ident}/duration', ofPlan)),
    ],
    'map of a plan': [
      ...internal('cluster/summary'),
      (client) => dataOf(client.api.GET('/v1/action_plans/{ident}/preview', ofPlan)),
    ],
    trends: internal(
      'trends?weeks=4',
      `history/spread?metric=host_cpu_usage&${windowOf(28 * day)}`,
      `history/spread?metric=host_power&${windowOf(28 * day)}`,
    ),
    report: [
      (client) => dataOf(client.api.GET('/v1/report', { params: { query: { from: at(28 * day), to: at(0) } } })),
    ],
    past: [
      ...internal('plan-ends?days=28'),
      (client) => dataOf(client.api.GET('/v1/cluster/past', { params: { query: { at: at(60) } } })),
    ],
    'what if': internal('cluster/summary', 'cluster/find?q=&kinds=flavor&limit=8', 'forecasts/flavors/m1.large'),
    rules: internal('placement-rule-effects'),
    services: internal('services', 'services/graph', 'services/events?limit=200'),
    tasks: internal('tasks/schedules'),
  };
}
