import { Command, InvalidArgumentError } from 'commander';
import { OperatorError, printable } from '#libs/domain';
import { connectDataSources, dataSourceSettings, dataSourcesEnv } from '#libs/history/connect';
import { createOpenStackCloud, OpenStackError, openStackConfigFromEnv } from '#libs/openstack';
import { createPluginRegistry, loadConfiguredPlugins } from '#libs/plugin-kit';
import { createLogger, findOtherWriterWithin, runProgram, systemClock, withRunningStack } from '#libs/service-kit';
import { commonEnv, list, parseEnv, requireDatabaseUrl } from '#libs/service-kit/env';
import { checkMetrics, type MetricFinding, type Resource } from './check-metrics.ts';
import { metricsReport, resourceReport } from './report.ts';

/** Its data sources are queried too. */
const pluginsEnv = {
  VIGIL_PLUGINS: list({ description: 'Plugins of the decision engine: npm packages or folders, separated by commas.' }),
};

/** Metrics that nearly every strategy needs. */
const needed = new Set(['host_cpu_usage', 'host_ram_usage', 'instance_cpu_usage', 'instance_ram_usage']);

/** Whether no host or no instance has a metric that nearly every strategy needs. */
export function isMissed({ metric, found, missing }: MetricFinding): boolean {
  return needed.has(metric) && found.length === 0 && missing.length > 0;
}

/**
 * Availability of each metric for each host and instance of the cloud in the configured data sources, over the last
 * `periodSeconds`.
 * @throws ConfigurationError, or OpenStackError when hosts and instances cannot be read from the cloud
 */
export async function checkConfiguredMetrics(
  environment: NodeJS.ProcessEnv,
  periodSeconds: number,
): Promise<MetricFinding[]> {
  const env = parseEnv({ ...dataSourcesEnv, ...pluginsEnv, ...commonEnv }, environment);
  const logger = createLogger({ service: 'metrics', level: 'error', pretty: true });
  const cloud = createOpenStackCloud(openStackConfigFromEnv(environment), { logger, clock: systemClock });
  const { registry, faults } = await loadConfiguredPlugins(env.VIGIL_PLUGINS, createPluginRegistry(), {
    strict: false,
    verify: false,
    findOtherWriter: findOtherWriterWithin,
  });
  const settings = dataSourceSettings({ ...env, VIGIL_DATABASE_URL: requireDatabaseUrl(env) });
  const history = connectDataSources(settings, {
    keystone: cloud.identity,
    logger,
    clock: systemClock,
    plugins: registry.dataSources(),
    env: environment,
    absentBecause: [
      'no plugin of VIGIL_PLUGINS has it',
      ...faults.map(({ plugin, reason }) => `${plugin}: ${reason}`),
    ].join('; '),
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

/** Exit codes: wrong usage or an unreachable cloud, and a metric that no host or no instance has. */
const misused = 2;
const nothingFound = 1;

interface CheckOptions {
  period: number;
  resource?: string;
  json?: boolean;
}

/** `vigil metrics check`: availability of metrics for each host and instance of the cloud. Returns the exit code. */
export function run(args: string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('vigil metrics')
    .exitOverride()
    .description('Metrics of hosts and instances in the data sources.');
  program
    .command('check')
    .description(
      'query the data sources for every metric of every host and instance; 1 when CPU or memory of all of them are missing',
    )
    .option('--period <seconds>', 'maximum age of a value', seconds, 600)
    .option('--resource <id>', 'only of this host (name) or instance (uuid)')
    .option('--json', 'print everything as JSON')
    .action(async ({ period, resource, json }: CheckOptions) => {
      const findings = await checkConfiguredMetrics(withRunningStack(process.env), period);
      exitCode = findings.some(isMissed) ? nothingFound : 0;
      if (json) return print(`${JSON.stringify(findings)}\n`);
      if (resource === undefined) return print(metricsReport(findings));
      const report = resourceReport(findings, resource);
      if (report === '')
        throw new OperatorError(`the cloud has no host or instance ${resource}`, { exitCode: misused });
      print(report);
    });
  return runProgram('metrics', program, args, {
    exitCode: () => exitCode,
    asOperatorError: (error) =>
      error instanceof OpenStackError ? new OperatorError(error.message, { cause: error, exitCode: misused }) : error,
  });
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}

function print(text: string): void {
  process.stdout.write(printable(text, '\n'));
}
