import { type MetricName, messageOf, metricCatalogue, nearestHint, silentLogger } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import { openPluginSource } from '#libs/history/connect';
import { checkPlugin } from '../check-plugin.ts';
import type { DataSourcePlugin } from '../sources.ts';

/** The cloud and the settings that a data source is tried with. */
export interface DataSourceTrial {
  /** Settings of the source. Default none. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Names of hosts for which values are expected. Default: any name is right. */
  hosts?: readonly string[];
  /** Virtual CPUs of the instances for which values are expected, by uuid. Default: any uuid is right. */
  instances?: ReadonlyMap<string, number>;
  /** Time of the source's clock, in milliseconds since 1970. Default 1,000,000,000,000. */
  nowMs?: number;
  /** Limit of each call, in milliseconds. Default: that of the engine. */
  limitMs?: number;
}

/** Findings of `assessDataSource`. */
export interface DataSourceAssessment {
  /** Mean of each metric by host or instance. */
  values: Map<MetricName, ReadonlyMap<string, number>>;
  /** Reasons for which Vigil would not use a call of the source. Empty: the source is sound. */
  faults: string[];
}

/** Window of the tried queries, in seconds. */
const periodSeconds = 600;

/**
 * Tries a data source as the engine uses it, without an engine: manifest, probe, metrics, aggregates, series and end.
 * Never throws: each error, time-out or malformed result is a fault.
 */
export async function assessDataSource(
  plugin: DataSourcePlugin,
  trial: DataSourceTrial = {},
): Promise<DataSourceAssessment> {
  const values: DataSourceAssessment['values'] = new Map();
  const faults: string[] = [];
  const attempt = async <T>(what: string, work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      faults.push(`${what}: ${messageOf(error)}`);
      return undefined;
    }
  };
  if (!(await attempt('manifest', () => checkPlugin(plugin, 'testing kit')))) return { values, faults };
  const nowMs = trial.nowMs ?? 1e12;
  const context = { clock: { now: () => nowMs }, logger: silentLogger, env: trial.env ?? {} };
  const source = openPluginSource(plugin, context, { limitMs: trial.limitMs });

  await attempt('probe', () => source.probe());
  const metrics = await attempt('listMetrics', () => metricsOf(source, faults));
  for (const metric of metrics ?? []) {
    const wanted = expectedOf(metric, trial);
    const query = { metric, periodSeconds, endMs: nowMs, vcpus: trial.instances };
    const means = await attempt(`aggregate of ${metric}`, () => source.aggregate({ ...query, aggregate: 'mean' }));
    await attempt(`aggregate of ${metric}`, () => source.aggregate({ ...query, aggregate: 'max' }));
    if (means === undefined) continue;
    values.set(metric, means);
    faults.push(...faultsOfNames(metric, means, wanted));
    const [resource] = means.keys();
    if (resource === undefined) continue;
    const startMs = nowMs - periodSeconds * 1000;
    const window = { metric, resource, startMs, endMs: nowMs, stepSeconds: 60, vcpus: trial.instances?.get(resource) };
    const points = await attempt(`series of ${metric}`, () => source.series(window));
    if (points?.some(({ at }, index) => at < startMs || at > nowMs || at < (points[index - 1]?.at ?? 0)))
      faults.push(`series of ${metric}: the points must be within the window, the oldest first`);
  }
  await attempt('close', () => source.close());
  return { values, faults };
}

/** The metrics that the source says it has. Names that Vigil does not know become faults. */
async function metricsOf(source: HistoryReader, faults: string[]): Promise<MetricName[]> {
  const listed = await source.listMetrics();
  const named = [...new Set([...(source.realNames?.().keys() ?? []), ...listed])];
  for (const name of named.filter((metric) => !isMetric(metric))) {
    const hint = nearestHint(String(name), Object.keys(metricCatalogue));
    faults.push(`listMetrics or realNames: Vigil has no metric ${String(name)}${hint}`);
  }
  if (named.length === 0) faults.push('listMetrics: the source has no metric');
  return named.filter(isMetric);
}

function isMetric(name: unknown): name is MetricName {
  return typeof name === 'string' && Object.hasOwn(metricCatalogue, name);
}

function expectedOf(metric: MetricName, { hosts, instances }: DataSourceTrial): readonly string[] | undefined {
  return metricCatalogue[metric].resourceType === 'compute_node' ? hosts : instances && [...instances.keys()];
}

function faultsOfNames(
  metric: MetricName,
  values: ReadonlyMap<string, number>,
  expected: readonly string[] | undefined,
): string[] {
  if (expected === undefined) return [];
  const found = expected.filter((name) => values.has(name));
  if (found.length > 0 || expected.length === 0) return [];
  const [other] = values.keys();
  if (other === undefined) return [`aggregate of ${metric}: no values`];
  const hint = nearestHint(other, expected);
  return [`aggregate of ${metric}: has ${other}, and none of the expected names${hint}`];
}
