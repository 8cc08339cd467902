import { type MetricName, messageOf, metricCatalogue } from '#libs/domain';
import type { HistoryReader } from '#libs/history';

/** A metric, and the hosts or instances that have values. */
export interface MetricFinding {
  metric: MetricName;
  unit: string;
  /** Source that served it. Null when none did. */
  source: string | null;
  /** Its name in the source, such as `node_cpu_seconds_total`. */
  realName: string | null;
  /** Names of hosts, or uuids of instances. */
  found: string[];
  missing: string[];
  /** Why it is missing, as far as the sources report it. */
  reasons: string[];
}

/** A host or an instance to check. */
export interface Resource {
  /** Name of the host, or uuid of the instance. */
  id: string;
  /** Virtual CPUs of an instance. */
  vcpus?: number;
}

/**
 * Queries the data sources for every metric of every resource, one query per metric, over the last `periodSeconds`.
 * Never throws: a failed source becomes a reason.
 */
export async function checkMetrics(
  history: HistoryReader,
  resources: { hosts: readonly Resource[]; instances: readonly Resource[] },
  periodSeconds: number,
): Promise<MetricFinding[]> {
  const vcpus = new Map(resources.instances.map(({ id, vcpus: count }) => [id, count ?? 1]));
  const descriptions = (await history.describe?.()) ?? [];
  const nameIn = (source: string | null, metric: MetricName) =>
    descriptions.find(({ name }) => name === source)?.metrics.find((entry) => entry.metric === metric)?.realName ??
    null;
  const findings: MetricFinding[] = [];
  for (const metric of Object.keys(metricCatalogue) as MetricName[]) {
    const { resourceType, unit } = metricCatalogue[metric];
    const wanted = (resourceType === 'compute_node' ? resources.hosts : resources.instances).map(({ id }) => id);
    const { values, source, reasons } = await request(history, { metric, aggregate: 'mean', periodSeconds, vcpus });
    findings.push({
      metric,
      unit,
      source,
      realName: nameIn(source, metric),
      found: wanted.filter((id) => values.has(id)),
      missing: wanted.filter((id) => !values.has(id)),
      reasons,
    });
  }
  return findings;
}

async function request(
  history: HistoryReader,
  query: Parameters<HistoryReader['aggregate']>[0],
): Promise<{ values: Map<string, number>; source: string | null; reasons: string[] }> {
  try {
    const response = await history.aggregateFrom?.(query);
    if (response) return { values: response.values, source: response.source, reasons: response.passedOver };
    return { values: await history.aggregate(query), source: history.name, reasons: [] };
  } catch (error) {
    return { values: new Map(), source: null, reasons: [messageOf(error)] };
  }
}
