import { readFileSync } from 'node:fs';
import { type Clock, ConfigurationError, type Logger, messageOf } from '#libs/domain';
import type { HistoryMetrics, HistoryReader } from '#libs/history';
import { createGnocchiHistory } from '#libs/history/gnocchi';
import { createInfluxHistory, type InfluxLayoutName, influxMapping } from '#libs/history/influxdb';
import { createPostgresHistory } from '#libs/history/postgres';
import { createAetosHistory, createPrometheusHistory, type PrometheusPreset } from '#libs/history/prometheus';
import type { TlsFiles } from '#libs/service-kit/env';
import {
  type DataSourceName,
  defaultDataSources,
  parseDataSources,
  parseStrategyDataSources,
} from '../data-source-names.ts';
import { createFallbackHistory } from '../fallback/fallback-history.ts';
import { createGuardedSource, type GuardedSource } from '../fallback/guarded-source.ts';
import { withoutImpossible } from '../possible-values.ts';
import { absentSource, openPluginSource, type PluginSource } from './plugin-source.ts';
import { readMetricMap } from './read-metric-map.ts';

/** Addresses of the data sources, with the names of their settings. Empty texts count as absent. */
export interface DataSourceSettings {
  /** `VIGIL_DATASOURCES`. Default: the sources with a URL, or the database. */
  order: readonly string[];
  /** `VIGIL_STRATEGY_DATASOURCES`: `strategy=source|source`. */
  strategyOrders: readonly string[];
  /** `VIGIL_METRIC_MAP_PATH`. */
  metricMapPath?: string;
  /** `VIGIL_INFLUX_URL`. */
  influxUrl?: string;
  /** `VIGIL_INFLUX_TOKEN`. */
  influxToken?: string;
  /** `VIGIL_INFLUX_LAYOUT`. Default `vigil`. */
  influxLayout?: InfluxLayoutName;
  prometheus?: {
    /** `VIGIL_PROMETHEUS_URL`. */
    url?: string;
    /** `VIGIL_PROMETHEUS_PRESETS`, for Aetos too. */
    presets?: readonly PrometheusPreset[];
    /** `VIGIL_PROMETHEUS_TOKEN`. */
    token?: string;
    /** `VIGIL_PROMETHEUS_CA_PATH`, `…_CERT_PATH` and `…_KEY_PATH`: PEM files. */
    caPath?: string;
    certPath?: string;
    keyPath?: string;
    /** `VIGIL_PROMETHEUS_FQDN_LABEL` and `…_INSTANCE_LABEL`, for Aetos too. */
    fqdnLabel?: string;
    instanceLabel?: string;
  };
  /** `VIGIL_GNOCCHI_URL`, for a Gnocchi that is not in the service catalogue. */
  gnocchiUrl?: string;
  /** `VIGIL_DATABASE_URL`. */
  databaseUrl?: string;
}

/** Access to Keystone for the data sources of a cloud. The identity port of a cloud implements it. */
export interface KeystoneAccess {
  token(): Promise<string>;
  endpoint(serviceType: string): Promise<string | null>;
}

/** All configured data sources. */
export interface DataSources extends HistoryReader {
  /**
   * The reader for a strategy, with its order of sources if it has one. Default: this reader. Closing it does nothing.
   */
  forStrategy(name: string): HistoryReader;
}

interface Deps {
  keystone?: KeystoneAccess;
  logger: Logger;
  clock: Clock;
  metrics?: HistoryMetrics;
  /** Sources of plugins. */
  plugins?: readonly PluginSource[];
  /** Environment of the process, for the settings of plugin sources. Default empty. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * Why an unknown source may be missing. The source then counts as unavailable. Default: unknown names are refused.
   */
  absentBecause?: string;
}

/**
 * Opens the data sources that the settings name, without a query. Each source is opened once and has one circuit for
 * all its readers. @throws ConfigurationError when a setting is invalid or a named source has no URL
 */
export function connectDataSources(settings: DataSourceSettings, deps: Deps): DataSources {
  const foreign = { names: (deps.plugins ?? []).map(({ name }) => name), others: deps.absentBecause !== undefined };
  const order = parseDataSources(settings.order, 'VIGIL_DATASOURCES', foreign);
  const effective = order.length > 0 ? order : configured(settings);
  const strategyOrders = parseStrategyDataSources(settings.strategyOrders, 'VIGIL_STRATEGY_DATASOURCES', foreign);
  const open = createOpener(settings, deps);
  const opened = new Map<string, GuardedSource>();

  function readerOf(names: readonly string[]): HistoryReader {
    const sources = names.map((name) => {
      const source = opened.get(name) ?? createGuardedSource(withoutImpossible(open(name), deps), deps.clock);
      opened.set(name, source);
      return source;
    });
    return { ...createFallbackHistory(sources, deps.logger), close: async () => {} };
  }

  const main = readerOf(effective);
  const ofStrategies = new Map([...strategyOrders].map(([strategy, names]) => [strategy, readerOf(names)]));
  return {
    ...main,
    forStrategy: (name) => ofStrategies.get(name) ?? main,
    async close() {
      await Promise.all([...opened.values()].map((source) => source.close()));
    },
  };
}

function configured(settings: DataSourceSettings): DataSourceName[] {
  const urls: Record<(typeof defaultDataSources)[number], string | undefined> = {
    influxdb: settings.influxUrl,
    prometheus: settings.prometheus?.url,
    gnocchi: settings.gnocchiUrl,
  };
  const found = defaultDataSources.filter((name) => urls[name]);
  return found.length > 0 ? found : ['postgres'];
}

/** Returns a function that opens one source by its name. */
function createOpener(settings: DataSourceSettings, deps: Deps): (name: string) => HistoryReader {
  const { logger, clock, metrics, keystone, plugins = [], env = {}, absentBecause = '' } = deps;
  const common = { logger, clock, metrics };
  const map = settings.metricMapPath ? readMetricMap(settings.metricMapPath, logger) : {};
  const prometheus = settings.prometheus ?? {};
  const labels = { fqdnLabel: prometheus.fqdnLabel, instanceLabel: prometheus.instanceLabel };
  const tls = () => readTls(prometheus);
  const openers: Record<DataSourceName, () => HistoryReader> = {
    postgres: () =>
      createPostgresHistory({ url: required('postgres', 'VIGIL_DATABASE_URL', settings.databaseUrl), ...common }),
    influxdb: () =>
      createInfluxHistory({
        url: required('influxdb', 'VIGIL_INFLUX_URL', settings.influxUrl),
        token: settings.influxToken,
        mapping: influxMapping(settings.influxLayout ?? 'vigil', map.influxdb),
        ...common,
      }),
    prometheus: () =>
      createPrometheusHistory({
        url: required('prometheus', 'VIGIL_PROMETHEUS_URL', prometheus.url),
        token: prometheus.token,
        presets: prometheus.presets,
        mapping: map.prometheus,
        tls: tls(),
        ...labels,
        ...common,
      }),
    aetos: () => {
      const access = requiredKeystone('aetos', keystone);
      return createAetosHistory({
        token: () => access.token(),
        endpoint: () => access.endpoint('metric-storage'),
        presets: prometheus.presets,
        mapping: map.aetos,
        tls: tls(),
        ...labels,
        ...common,
      });
    },
    gnocchi: () =>
      createGnocchiHistory({ ...gnocchiPlace(settings.gnocchiUrl, keystone), mapping: map.gnocchi, ...common }),
  };
  return (name) => {
    if (Object.hasOwn(openers, name)) return openers[name as DataSourceName]();
    const plugin = plugins.find((candidate) => candidate.name === name);
    if (!plugin) return absentSource(name, absentBecause);
    return openPluginSource(plugin, { clock, logger, env }, { metrics });
  };
}

function gnocchiPlace(url: string | undefined, keystone: KeystoneAccess | undefined) {
  if (url) return { url };
  const access = requiredKeystone('gnocchi', keystone);
  return { keystone: { token: () => access.token(), endpoint: () => access.endpoint('metric') } };
}

function required(source: string, setting: string, value: string | undefined): string {
  if (value) return value;
  throw new ConfigurationError([`the data source ${source} needs ${setting}`]);
}

function requiredKeystone(source: string, keystone: KeystoneAccess | undefined): KeystoneAccess {
  if (keystone) return keystone;
  throw new ConfigurationError([
    `the data source ${source} needs Keystone: set OS_AUTH_URL and the other OS_* settings`,
  ]);
}

function readTls(files: { caPath?: string; certPath?: string; keyPath?: string }): TlsFiles {
  if (!files.certPath !== !files.keyPath) {
    throw new ConfigurationError(['set VIGIL_PROMETHEUS_CERT_PATH and VIGIL_PROMETHEUS_KEY_PATH together']);
  }
  const read = (setting: string, path: string | undefined) => {
    try {
      return path ? readFileSync(path, 'utf8') : undefined;
    } catch (error) {
      throw new ConfigurationError([`${setting}: ${messageOf(error)}`], { cause: error });
    }
  };
  return {
    ca: read('VIGIL_PROMETHEUS_CA_PATH', files.caPath),
    cert: read('VIGIL_PROMETHEUS_CERT_PATH', files.certPath),
    key: read('VIGIL_PROMETHEUS_KEY_PATH', files.keyPath),
  };
}
