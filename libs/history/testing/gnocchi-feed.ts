/** One measure of a metric of a resource. */
export interface GnocchiMeasure {
  resource: string;
  metric: string;
  at: number;
  value: number;
}

/** Fills a Gnocchi with basic authentication that runs without metricd. */
export interface GnocchiFeed {
  /**
   * Creates the resource with these metrics. @param id uuid of an instance, or any text for other types @param
   * policyName default: the policy with a granularity of a second and all aggregations
   */
  addResource(type: string, id: string, metrics: string[], policyName?: string): Promise<void>;
  /** Creates an archive policy with these aggregations and one granularity, such as `120s`. */
  addPolicy(name: string, aggregations: string[], granularity: string): Promise<void>;
  /** Stores and processes measures. Resources and metrics must exist. */
  write(measures: readonly GnocchiMeasure[]): Promise<void>;
}

/** A granularity of one second. Ceilometer's shortest policies also keep every polling interval. */
const policy = {
  name: 'vigil-test',
  back_window: 100_000,
  aggregation_methods: ['mean', 'max', 'min', 'count', 'rate:mean'],
  definition: [
    { granularity: '1s', points: 200_000 },
    { granularity: '300s', points: 2016 },
  ],
};

/** @param url `http://user@host:port` as in `VIGIL_TEST_GNOCCHI_URL`. */
export async function createGnocchiFeed(url: string): Promise<GnocchiFeed> {
  const parsed = new URL(url);
  const authorization = `Basic ${Buffer.from(`${parsed.username}:${parsed.password}`).toString('base64')}`;

  async function call(path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${parsed.origin}/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    if (!response.ok && response.status !== 409)
      throw new Error(`Gnocchi returned ${response.status} to ${path}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  await call('archive_policy', policy);
  await call('resource_type', { name: 'instance', attributes: {} });
  return {
    async addResource(type, id, metrics, policyName = policy.name) {
      const entries = metrics.map((metric) => [metric, { archive_policy_name: policyName }]);
      await call(`resource/${type}`, { id, metrics: Object.fromEntries(entries) });
    },
    async addPolicy(name, aggregations, granularity) {
      const definition = [{ granularity, points: 1000 }];
      await call('archive_policy', { name, back_window: 1000, aggregation_methods: aggregations, definition });
    },
    async write(measures) {
      const batch: Record<string, Record<string, { timestamp: number; value: number }[]>> = {};
      for (const { resource, metric, at, value } of measures) {
        batch[resource] ??= {};
        batch[resource][metric] ??= [];
        batch[resource][metric].push({ timestamp: at / 1000, value });
      }
      await call('batch/resources/metrics/measures', batch);
      for (const [resource, metrics] of Object.entries(batch)) {
        for (const metric of Object.keys(metrics)) {
          const where = `resource/generic/${encodeURIComponent(resource)}/metric/${encodeURIComponent(metric)}`;
          await call(`${where}/measures?refresh=true&limit=1`);
        }
      }
    },
  };
}
