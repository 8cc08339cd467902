import { connectDataSources, dataSourceSettings, dataSourcesEnv } from '#libs/history/connect';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { createLogger, systemClock } from '#libs/service-kit';
import { commonEnv, parseEnv, requireDatabaseUrl } from '#libs/service-kit/env';
import { checkMetrics, type MetricFinding, type Resource } from './check-metrics.ts';

/** What nearly every strategy needs. */
const needed = new Set(['host_cpu_usage', 'host_ram_usage', 'instance_cpu_usage', 'instance_ram_usage']);

/** Whether no host or no instance has a metric that nearly every strategy needs. */
export function isMissed({ metric, found, missing }: MetricFinding): boolean {
  return needed.has(metric) && found.length === 0 && missing.length > 0;
}

/**
 * Which metric of which host and instance of the cloud the configured data sources have, over the last `periodSeconds`.
 * @throws ConfigurationError, or OpenStackError when the cloud cannot be asked for hosts and instances
 */
export async function lookAtMetrics(environment: NodeJS.ProcessEnv, periodSeconds: number): Promise<MetricFinding[]> {
  const env = parseEnv({ ...dataSourcesEnv, ...commonEnv }, environment);
  const logger = createLogger({ service: 'metrics', level: 'error', pretty: true });
  const cloud = createOpenStackCloud(openStackConfigFromEnv(environment), { logger, clock: systemClock });
  const settings = dataSourceSettings({ ...env, VIGIL_DATABASE_URL: requireDatabaseUrl(env) });
  const history = connectDataSources(settings, {
    keystone: cloud.identity,
    logger,
    clock: systemClock,
    absentBecause: 'it belongs to a plugin, which only the decision engine loads',
  });
  try {
    const [hypervisors, servers] = await Promise.all([cloud.compute.listHypervisors(), cloud.compute.listServers({})]);
    const hosts: Resource[] = hypervisors.map(({ serviceHost }) => ({ id: serviceHost }));
    const instances: Resource[] = servers.map(({ uuid, flavor }) => ({ id: uuid, vcpus: flavor.vcpus }));
    return await checkMetrics(history, { hosts, instances }, periodSeconds);
  } finally {
    await history.close();
    await cloud.close();
  }
}
