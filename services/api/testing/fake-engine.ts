import type { JsonObject } from '#libs/domain';
import type { MessageBus } from '#libs/messaging';

/** Responses of a decision engine by topic. A function may check the request. */
export type EngineResponses = Record<string, object | ((request: JsonObject) => object)>;

const node = (name: string): JsonObject => ({
  node_uuid: `uuid-of-${name}`,
  node_hostname: name,
  node_status: 'enabled',
  node_disabled_reason: null,
  node_state: 'up',
  node_memory: 32768,
  node_memory_mb_reserved: 512,
  node_disk: 500,
  node_disk_gb_reserved: 0,
  node_vcpus: 16,
  node_vcpu_reserved: 0,
  node_memory_ratio: 1.5,
  node_vcpu_ratio: 16,
  node_disk_ratio: 1,
  node_secret: 'not for clients',
});
const server = (uuid: string): JsonObject => ({
  server_uuid: uuid,
  server_watcher_exclude: false,
  server_name: `vm-${uuid}`,
  server_state: 'active',
  server_memory: 1024,
  server_disk: 20,
  server_vcpus: 2,
  server_metadata: { a: 'b' },
  server_project_id: 'p',
  server_locked: false,
  server_pinned_az: null,
  server_flavor_extra_specs: { 'hw:cpu_policy': 'shared' },
  server_host: 'not for clients',
});

/** Two hosts, the first with one server `s1`. */
export const smallModel: JsonObject[] = [{ ...node('h1'), ...server('s1') }, node('h2')];

const preview = {
  strategy: 'dummy',
  parameters: { para1: 3.2, para2: 'hello' },
  model_taken_at: '2026-01-01T00:00:00.000Z',
  actions: [],
  indicators: [],
  global_efficacy: [],
  report: {
    strategy: 'dummy',
    hosts: { considered: 2, eligible: 2 },
    instances: { considered: 1, eligible: 1 },
    blocked: [],
    metrics: [],
    modelAgeSeconds: 1,
    modelComplete: true,
    emptyBecause: 'nothing to do',
    notes: [],
    timingsMs: { model: 1 },
  },
  hosts: [],
  unplaced: { instances: 0, vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 },
  reserve: [{ domain: 'zone z1', change: 'lost' }],
};

const use = (total: number, used: number) => ({ total, capacity: total, used });
const load = { at: '2026-01-01T00:05:00.000Z', period_seconds: 300, sources: ['test'], error: null };
const host = (hostname: string, cpuLoad: number | null) => ({
  uuid: `uuid-of-${hostname}`,
  hostname,
  state: 'up',
  status: 'enabled',
  disabled_reason: null,
  zone: 'nova',
  aggregates: [1],
  instances: 1,
  vcpus: use(16, 2),
  memory: use(32768, 1024),
  disk: use(500, 20),
  cpu_load: cpuLoad,
  memory_load: null,
});
const usedHost = (hostname: string, instances: number) => ({
  hostname,
  use: { instances, vcpus: 2 * instances, dedicatedCpus: 0, memory: 1024 * instances, disk: 20, enabled: true },
});
const modelAge = { taken_at: '2026-01-01T00:00:00.000Z', age_seconds: 12.5 };
const instance = {
  uuid: 's1',
  name: 'vm-s1',
  project_id: 'p',
  state: 'active',
  vcpus: 2,
  memory: 1024,
  disk: 20,
  locked: false,
  busy: false,
  server_group: null,
  created: '2026-01-01T00:00:00Z',
  cpu_load: 35,
  cpu_served: 94,
};
const noTrend = { verdict: 'short', days: null, low_days: null, high_days: null, text: 'no trend towards 80 %' };
const fullInDays = { verdict: 'days', days: 37, low_days: 31, high_days: 46, text: '80 % in 37 days (31 to 46)' };
const reserve = { hosts: 2, covered: 1, not_covered: ['h1'], unknown: 0 };
const pastUse = (instances: number, cpuLoad: number | null) => ({
  ...{ instances, vcpus: 2 * instances, memory: 1024 * instances, disk: 20 * instances },
  ...{ cpu_load: cpuLoad, memory_load: null },
});
/** One of three instances has moved from h1 to h2. */
const past = ({ at_ms: atMs, to_ms: toMs }: JsonObject) => ({
  at: new Date(atMs as number).toISOString(),
  to: toMs === undefined ? '2026-01-01T00:00:00.000Z' : new Date(toMs as number).toISOString(),
  earliest: '2026-01-01T00:00:00.000Z',
  model_taken_at: '2026-01-01T00:00:00.000Z',
  load,
  instances: {
    ...{ before: 3, now: 4, moved: 1, created_since: 1, deleted_since: 2, resized_since: 0 },
    ...{ host_gone: 0, without_host: 0 },
  },
  moves: 1,
  moved_instances: [{ uuid: 's1', name: 'vm-s1', from: 'h1', to: 'h2' }],
  gaps: [],
  hosts: [
    {
      ...{ hostname: 'h1', zone: 'nova', aggregates: ['rack 1'], arrived: 0, left: 1 },
      capacity: { vcpus: 16, memory: 32768, disk: 500 },
      ...{ before: pastUse(2, 70), now: pastUse(1, 40) },
    },
    {
      ...{ hostname: 'h2', zone: 'nova', aggregates: [], arrived: 1, left: 0 },
      capacity: { vcpus: 16, memory: 32768, disk: 500 },
      ...{ before: pastUse(1, null), now: pastUse(3, 55) },
    },
  ],
});
/** A loss that does not fit. */
const whatIf = ({ question }: JsonObject) => ({
  question,
  model_taken_at: '2026-01-01T00:00:00.000Z',
  verdict: 'does_not_fit',
  text: '2 instances of 1 host: 1 find a place on the other hosts, 1 do not',
  because: 'every packing of the instances was tried',
  number: question === 'place' ? 14 : null,
  is_exact: true,
  moves_needed: 1,
  moves_memory: 1024,
  moves: [{ instance: 's1', name: 'vm-s1', from: 'h1', to: 'h2', way: 'evacuate', memory: 1024 }],
  left: 1,
  obstacles: [{ instance: 's2', name: 'vm-s2', hostname: 'h1', constraint: 'memory', hosts: null }],
  reserve: {
    before: { ...reserve, largest: { hostname: 'h1', verdict: 'does_not_fit' } },
    after: { ...reserve, hosts: 1, largest: null },
  },
  fullest: [{ resource: 'memory', before: { hostname: 'h1', percent: 50 }, after: { hostname: 'h2', percent: 87.5 } }],
  places: [{ flavor: 'm1.small', before: 14, after: 3, is_exact: true }],
  hosts: question === 'place' ? [{ hostname: 'h2', places: 14 }] : [],
  notes: [],
});
const clusterResponses: EngineResponses = {
  'cluster.summary': {
    ...modelAge,
    complete: true,
    gaps: [],
    load,
    totals: {
      hosts: 2,
      hosts_up: 2,
      hosts_enabled: 2,
      hosts_empty: 1,
      instances: 1,
      vcpus: use(32, 2),
      memory: use(65536, 1024),
      disk: use(1000, 20),
      cpu_load: { mean: 40, deviation: 0, min: 40, max: 40, hosts: 1 },
    },
    aggregates: [{ id: 1, name: 'fast', zone: null }],
    hosts: [host('h1', 40), host('h2', null)],
  },
  'cluster.uses': ({ hostnames }) => ({
    taken_at: '2026-01-01T00:10:00.000Z',
    hosts: [usedHost('h1', 1), usedHost('h2', 0)].filter(({ hostname }) => (hostnames as string[]).includes(hostname)),
  }),
  'cluster.host': (question) =>
    question.hostname === 'h1'
      ? {
          ...modelAge,
          load,
          host: { ...host('h1', 40), traits: ['CUSTOM_FAST'] },
          instances: [instance],
        }
      : { error: { code: 'host_not_found', message: 'no such host' } },
  'cluster.find': ({ text }) => ({
    taken_at: modelAge.taken_at,
    found: 'vm-s1'.startsWith(text as string)
      ? [{ kind: 'instance', id: 's1', name: 'vm-s1', host: 'h1', instances: null }]
      : [],
    more: 0,
  }),
  'cluster.instance': ({ uuid }) =>
    uuid === 's1'
      ? {
          ...modelAge,
          load,
          instance: {
            ...instance,
            hostname: 'h1',
            flavor: 'm1.small',
            pinned_zone: null,
            group_policy: null,
            rules: ['apart'],
          },
        }
      : { error: { code: 'instance_not_found', message: 'no such instance' } },
  'cluster.rules': { taken_at: modelAge.taken_at, rules: [] },
  'history.series': ({ resource, metrics, start, end, step }) => ({
    resource,
    start,
    end,
    step,
    series: (metrics as string[]).map((metric) => ({ metric, unit: '%', at: [start], values: [40] })),
  }),
  'cluster.what_if': whatIf,
  'cluster.past': past,
  'load.forecast': ({ kind, id, load, hours }) =>
    (kind === 'host' && id === 'h1') || (kind === 'instance' && id === 's1')
      ? {
          ...{ kind, id, name: id, load, at: '2026-01-01T00:10:00.000Z', last_value: 40 },
          ...{ history_days: 12, history_hours: 288, season: 'day', verdict: 'forecast by the hour of the day won' },
          backtest: {
            ...{ verdict: 'won', season: 'day', comparisons: 300 },
            ...{ error: 2, last_value_error: 9, coverage: 0.8 },
          },
          trend: {
            ...{ verdict: 'short', per_day: null, low_per_day: null, high_per_day: null, days: 12 },
            text: 'no trend: 12 full days are fewer than four weeks',
          },
          ...{ busy: 48, full_at: 80, full: noTrend },
          hours: Array.from({ length: hours as number }, (_, hour) => ({
            from: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
            ...{ low: 30, expected: 41.25, high: 50, samples: 12, text: 'expected 30 to 50 %' },
          })),
        }
      : { error: { code: `${kind}_not_found`, message: `there is no ${kind} ${id}; did you mean h1?` } },
  'capacity.forecast': ({ kind, id }) =>
    (kind === 'aggregate' && id === 'fast') || (kind === 'flavor' && id === 'm1.small')
      ? {
          ...{ kind, id, name: id, at: '2026-01-01T00:10:00.000Z', full_at: 80, hosts: 2, history_days: 42 },
          places: kind === 'flavor' ? 12 : null,
          is_exact: true,
          parts: kind === 'flavor' ? [{ kind: 'zone', name: 'az1', hosts: 2, places: 12 }] : [],
          resources: (['cpu', 'memory'] as const).map((resource) => ({
            ...{ resource, basis: 'measured', size: 32, percent: 61.5, full: fullInDays },
            trend: {
              verdict: 'trend',
              per_day: 0.5,
              low_per_day: 0.4,
              high_per_day: 0.6,
              days: 42,
              text: 'trend +0.50',
            },
          })),
          full: fullInDays,
        }
      : { error: { code: `${kind}_not_found`, message: `there is no ${kind} ${id}; did you mean fast?` } },
  'history.fullest': {
    load,
    measured_hosts: 2,
    hosts: [
      { hostname: 'h1', cpu_mean: 61.5, cpu_highest: 97.25, memory_mean: 40, memory_highest: 52 },
      { hostname: 'h2', cpu_mean: null, cpu_highest: null, memory_mean: 55, memory_highest: 56 },
    ],
  },
  'history.spread': ({ metric, step, end }) => ({
    metric,
    unit: '%',
    step,
    at: [end],
    mean: [40],
    deviation: [10],
    min: [30],
    max: [50],
    count: [2],
  }),
};

/** Responses of an engine that knows `smallModel` and has nothing to propose. */
export const usualResponses: EngineResponses = {
  ...clusterResponses,
  'model.get': { context: smallModel },
  'strategy.info': {
    requirements: [
      { type: 'Datasource', state: 'influxdb: available', mandatory: true, comment: '' },
      { type: 'Metrics', state: [{ host_cpu_usage: 'available' }], mandatory: false, comment: '' },
      {
        type: 'CDM',
        state: [
          { compute_model: 'available' },
          { storage_model: 'not available' },
          { baremetal_model: 'not available' },
        ],
        mandatory: true,
        comment: '',
      },
    ],
  },
  'audit.preview': preview,
  'audit.compare': {
    results: [preview, { strategy: 'free', error: { code: 'strategy_failed', message: 'no metrics' } }],
  },
};

/** The decision engine as the API's bus sees it. `requests` collects the requests, without their versions. */
export function createFakeEngine(responses: EngineResponses = usualResponses): Pick<MessageBus, 'request'> & {
  requests: { topic: string; body: JsonObject }[];
} {
  const requests: { topic: string; body: JsonObject }[] = [];
  return {
    requests,
    async request(topic, request) {
      const { schema: _version, call: _call, ...body } = request;
      requests.push({ topic, body });
      const response = responses[topic];
      if (response === undefined) throw new Error(`no response for ${topic}`);
      return (typeof response === 'function' ? response(request) : response) as JsonObject;
    },
  };
}
