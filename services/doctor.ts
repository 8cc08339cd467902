import { Command, CommanderError } from 'commander';
import { printable } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { createLogger, reportFatal, systemClock, withRunningStack } from '#libs/service-kit';
import { commonEnv, parseEnv, requireDatabaseUrl } from '#libs/service-kit/env';
import { createStore } from '#libs/store';
import { strategyCatalogue } from '#libs/strategies';
import { clientAddressDoubt } from './api/checks.ts';
import { apiEnv } from './api/env.ts';
import { checkFiles } from './config/check-files.ts';
import { checkConfiguredMetrics, isMissed } from './metrics/main.ts';
import { type Check, type Finding, judge, runChecks, type Verdict } from './status/run-checks.ts';
import { upgradeChecks } from './status/upgrade-checks.ts';
import { createWatch } from './watch/create-watch.ts';

/**
 * Maximum clock difference in milliseconds. A larger one makes logs and schedules misleading. Leases use the database's
 * clock.
 */
const clockToleranceMs = 5_000;
const periodSeconds = 600;
const signs = { Success: 'ok', Warning: 'warn', Failure: 'FAIL' } as const;

/**
 * `vigil doctor`: checks configuration, schema, all dependencies, permissions, clock and metrics, and lists the fixes.
 * @returns the exit code: 0 success, 1 a warning, 2 a failure, 255 an unexpected error
 */
export async function run(args: string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('vigil doctor')
    .exitOverride()
    .description('Checks configuration, database, message bus, cloud, rights, clock and metrics, and lists the fixes.')
    .option('--json', 'print the findings as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const environment = withRunningStack(process.env);
      const verdicts = await runChecks(checksOf(environment));
      const { exitCode: code, result } = judge(verdicts);
      exitCode = code;
      process.stdout.write(json ? `${JSON.stringify({ result, checks: verdicts })}\n` : textOf(verdicts));
    });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 255;
    return reportFatal('doctor', error) === 0 ? 0 : 255;
  }
}

function checksOf(environment: NodeJS.ProcessEnv): Check[] {
  const logger = createLogger({ service: 'doctor', level: 'error', pretty: true });
  return [
    { name: 'Configuration', run: () => configuration(environment) },
    { name: 'Dependencies', run: () => dependencies(environment) },
    ...upgradeChecks(environment, { logger, clock: systemClock }),
    { name: 'Clock', run: () => clock(environment) },
    { name: 'Rights', run: () => rights(environment) },
    { name: 'Client Addresses', run: async () => clientAddresses(environment) },
    { name: 'Metrics', run: () => metrics(environment) },
  ];
}

async function configuration(environment: NodeJS.ProcessEnv): Promise<Finding> {
  const { faults, warnings } = await checkFiles(environment, undefined);
  if (faults.length > 0) return { result: 'Failure', details: faults.map(({ fault }) => fault).join('; ') };
  return warnings.length > 0 ? { result: 'Warning', details: warnings.join('; ') } : { result: 'Success' };
}

/**
 * The round of `vigil watch all once`, with its time limits: those of the gate of every process. A failed probe is
 * repeated: the other checks run at the same time and delay the first one.
 */
async function dependencies(environment: NodeJS.ProcessEnv): Promise<Finding> {
  const { watch, teardown } = await createWatch('all', {
    ...environment,
    VIGIL_LOG_LEVEL: 'error',
    VIGIL_GATE_TRIES: '2',
  });
  try {
    const { report } = await watch.round(undefined, { trusted: true });
    const down = report.dependencies.filter(({ up }) => !up);
    const details = down
      .map(({ name, nodes }) => `${name}: ${nodes.map(({ reason }) => reason).join(', ')}`)
      .join('; ');
    if (!report.open) return { result: 'Failure', details };
    return down.length > 0 ? { result: 'Warning', details } : { result: 'Success' };
  } finally {
    await teardown.run();
  }
}

async function clock(environment: NodeJS.ProcessEnv): Promise<Finding> {
  const logger = createLogger({ service: 'doctor', level: 'error', pretty: true });
  const store = await createStore({
    url: requireDatabaseUrl(parseEnv(commonEnv, environment)),
    logger,
    applicationName: 'vigil-doctor',
    poolSize: 1,
  });
  try {
    const difference = systemClock.now() - (await store.db.now()).getTime();
    if (Math.abs(difference) <= clockToleranceMs) return { result: 'Success' };
    const seconds = Math.round(difference / 1000);
    return {
      result: 'Warning',
      details: `this machine is ${seconds} s ahead of the database: let both follow the same time`,
    };
  } finally {
    await store.close();
  }
}

async function rights(environment: NodeJS.ProcessEnv): Promise<Finding> {
  const logger = createLogger({ service: 'doctor', level: 'error', pretty: true });
  const cloud = createOpenStackCloud(openStackConfigFromEnv(environment), { logger, clock: systemClock });
  try {
    const token = await cloud.identity.token();
    const roles = (await cloud.identity.validate(token))?.roles ?? [];
    if (roles.includes('admin')) return { result: 'Success' };
    const details = `the user has the roles ${roles.join(', ') || 'none'}, not admin: docs/hardening.md has the rules that each action needs`;
    return { result: 'Warning', details };
  } finally {
    await cloud.close();
  }
}

function clientAddresses(environment: NodeJS.ProcessEnv): Finding {
  const doubt = clientAddressDoubt(parseEnv(apiEnv, environment));
  return doubt === null ? { result: 'Success' } : { result: 'Warning', details: doubt };
}

async function metrics(environment: NodeJS.ProcessEnv): Promise<Finding> {
  const missed = (await checkConfiguredMetrics(environment, periodSeconds))
    .filter(isMissed)
    .map(({ metric }) => metric);
  if (missed.length === 0) return { result: 'Success' };
  const needing = strategyCatalogue.filter(({ manifest }) => manifest.metrics.some((name) => missed.includes(name)));
  const details = `nobody has ${missed.join(', ')} (vigil metrics check has more): ${needing.map(({ manifest }) => manifest.name).join(', ')} will fail`;
  return { result: 'Warning', details };
}

function textOf(verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ name }) => name.length));
  return verdicts
    .map(({ name, result, details }) =>
      `${signs[result].padEnd(5)} ${name.padEnd(width)}${details ? `  ${printable(details)}` : ''}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
