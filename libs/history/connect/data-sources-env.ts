import { prometheusPresetNames, usualPresets } from '#libs/history/prometheus';
import { choice, choices, type EnvValues, list, text, url } from '#libs/service-kit/env';
import { dataSourceNames, defaultDataSources } from '../data-source-names.ts';
import type { DataSourceSettings } from './connect-data-sources.ts';

const orderedText = `${defaultDataSources.slice(0, -1).join(', ')} and ${defaultDataSources.at(-1)}`;

/** Configuration of where metrics come from. Docs/data-sources.md explains it. */
export const dataSourcesEnv = {
  VIGIL_DATASOURCES: list({
    description: `Order in which data sources are queried for a metric: ${dataSourceNames.join(', ')}, separated by commas. Default: those of ${orderedText} that have a URL, or postgres. See data-sources.md.`,
  }),
  VIGIL_STRATEGY_DATASOURCES: list({
    description:
      'Separate order for single strategies: `strategy=source|source`, separated by commas, such as `basic=gnocchi|prometheus`.',
  }),
  VIGIL_METRIC_MAP_PATH: text({
    description: 'YAML or JSON file with other names of metrics in the data sources.',
  }),
  VIGIL_INFLUX_URL: url({
    schemes: ['http:', 'https:'],
    secret: true,
    description:
      'InfluxDB with the cluster history: `http://host:8086/?org=…&bucket=…` for 2.x, `http://user:password@host:8086/database` for 1.x; with https also `&cacertfile=…&certfile=…&keyfile=…`. Default without any data source: the history tables of the database.',
  }),
  VIGIL_INFLUX_TOKEN: text({ secret: true, description: 'Token for InfluxDB, unless the URL contains it.' }),
  VIGIL_INFLUX_LAYOUT: choice({
    words: ['vigil', 'telegraf'],
    default: 'vigil',
    description:
      'Names in InfluxDB: those of Vigil, or those of the Telegraf plugins cpu, mem and libvirt. VIGIL_METRIC_MAP_PATH changes single names.',
  }),
  VIGIL_PROMETHEUS_PRESETS: choices({
    words: prometheusPresetNames,
    default: usualPresets,
    description:
      'Exporters that write the series of Prometheus and Aetos, separated by commas; if several have a metric, the last one is used. VIGIL_METRIC_MAP_PATH changes single metrics. See data-sources.md.',
  }),
  VIGIL_PROMETHEUS_URL: url({
    schemes: ['http:', 'https:'],
    secret: true,
    description: 'Prometheus with the cluster history: `http://user:password@host:9090/prefix`.',
  }),
  VIGIL_PROMETHEUS_TOKEN: text({ secret: true, description: 'Bearer token for Prometheus.' }),
  VIGIL_PROMETHEUS_CA_PATH: text({
    description: 'PEM file of the trusted authorities for https to Prometheus and Aetos. Default: those of the system.',
  }),
  VIGIL_PROMETHEUS_CERT_PATH: text({ description: 'PEM file of the client certificate for Prometheus.' }),
  VIGIL_PROMETHEUS_KEY_PATH: text({ description: 'PEM file of the key of the client certificate.' }),
  VIGIL_PROMETHEUS_FQDN_LABEL: text({
    default: 'fqdn',
    description: 'Label with the name of the host, in Prometheus and Aetos.',
  }),
  VIGIL_PROMETHEUS_INSTANCE_LABEL: text({
    default: 'resource',
    description: 'Label with the uuid of the instance, in Prometheus and Aetos.',
  }),
  VIGIL_GNOCCHI_URL: url({
    schemes: ['http:', 'https:'],
    secret: true,
    description:
      'Gnocchi with basic authentication: `http://user:password@host:8041`. Default: the service `metric` of the catalogue.',
  }),
} as const;

/** The settings of the data sources from the configuration of the process. */
export function dataSourceSettings(
  env: EnvValues<typeof dataSourcesEnv> & { VIGIL_DATABASE_URL: string },
): DataSourceSettings {
  return {
    order: env.VIGIL_DATASOURCES,
    strategyOrders: env.VIGIL_STRATEGY_DATASOURCES,
    metricMapPath: env.VIGIL_METRIC_MAP_PATH,
    influxUrl: env.VIGIL_INFLUX_URL,
    influxToken: env.VIGIL_INFLUX_TOKEN,
    influxLayout: env.VIGIL_INFLUX_LAYOUT,
    prometheus: {
      url: env.VIGIL_PROMETHEUS_URL,
      presets: env.VIGIL_PROMETHEUS_PRESETS,
      token: env.VIGIL_PROMETHEUS_TOKEN,
      caPath: env.VIGIL_PROMETHEUS_CA_PATH,
      certPath: env.VIGIL_PROMETHEUS_CERT_PATH,
      keyPath: env.VIGIL_PROMETHEUS_KEY_PATH,
      fqdnLabel: env.VIGIL_PROMETHEUS_FQDN_LABEL,
      instanceLabel: env.VIGIL_PROMETHEUS_INSTANCE_LABEL,
    },
    gnocchiUrl: env.VIGIL_GNOCCHI_URL,
    databaseUrl: env.VIGIL_DATABASE_URL,
  };
}
