import type { EnvValues } from '#libs/service-kit/env';
import type { DataSourceSettings } from './connect-data-sources.ts';
import type { dataSourcesEnv } from './data-sources-env.ts';

/** The settings of the data sources, out of the configuration of the process. */
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
