import { url as inspectorUrl } from 'node:inspector';
import { hostname } from 'node:os';
import { type Clock, type IdSource, type Logger, messageOf, OperatorError, printable } from '#libs/domain';
import type { Tracer } from '#libs/tracing';
import { createLogger, type LogLevel } from './create-logger.ts';
import { createMetrics, type Metrics } from './create-metrics.ts';
import { type ConfigurationCheck, checkConfiguration } from './env/check-configuration.ts';
import { commonEnv } from './env/common-env.ts';
import { type EnvSchema, type EnvValues, readKeys } from './env/parse-env.ts';
import { warnOfUnknownKeys } from './env/unknown-keys.ts';
import { startHealthServer } from './health-server.ts';
import { withTimeLimit } from './limits.ts';
import { createLoopStatus, type LoopStatus } from './loop-status.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { createReload, type Reload, watchTerminal } from './reload-configuration.ts';
import { countLostOutput, surviveLostOutput } from './standard-streams.ts';
import { startTracing } from './start-tracing.ts';
import { newUuid, systemClock } from './system-sources.ts';
import { createTeardown, type Teardown } from './teardown.ts';
import { startWatchdog } from './watchdog.ts';

/** npm forwards a Ctrl-C that the terminal has also sent to the process. Two signals within this time count as one. */
const sameMs = 1_000;

const forcedExitCode = 130;

/** The common parts of every process. */
export interface ServiceContext<Schema extends EnvSchema> {
  /** Values of reloadable keys may change during the run: read them when needed, or `follow` them. */
  env: EnvValues<Schema & typeof commonEnv>;
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
  clock: Clock;
  newUuid: IdSource;
  /** New for each start of the process. Holder of its leases. */
  instanceId: string;
  /** Value for `hostname` columns. */
  hostId: string;
  teardown: Teardown;
  /** Ends the process with exit code 1 after an orderly stop. For errors that it cannot survive. */
  fail(error: unknown): void;
  /** Ends the process in an orderly way, as a signal does, with `exitCode`. */
  end(reason: string, exitCode: number): void;
  /** Receives the reason why the process ends (or could not start), before the first part is stopped. Has 3 s. */
  onEnd(listener: EndListener): void;
  /** Responses of the health server on further paths, such as `/internal/check`. */
  answers: Map<string, () => Promise<object>>;
  /** Recurring work of this process. Shown with the schedules of tasks. */
  loops: LoopStatus;
  /** Starts the spans of incoming work. */
  tracer: Tracer;
  /** Keys of `env`. */
  envSchema: EnvSchema;
  /** A value that `make` derives from `env`. Its properties are replaced after each change of a reloadable key. */
  follow<Settings extends object>(make: () => Settings): Settings;
  /** Called after each change of a reloadable key. */
  onReload(listener: () => void): void;
}

/** Why a process ends. */
export interface ServiceEnd {
  /** Such as the name of a signal. */
  reason: string;
  /** Absent after a request to end. */
  error?: unknown;
  /** An uncaught exception. */
  uncaught: boolean;
  /** It ended before it was ready. */
  starting: boolean;
}

type EndListener = (end: ServiceEnd) => Promise<void>;

/** Exit code of a process with an invalid configuration (EX_CONFIG of sysexits). */
export const configurationExitCode = 78;
/**
 * Exit code after SIGHUP without files (128 + its number). A supervisor treats it as a failure and restarts the
 * process.
 */
const hangUpExitCode = 129;
const endListenerMs = 3_000;

/** Sent to a supervising parent when the process has started. `url`: its address, if it serves one. */
export interface ReadyMessage {
  type: 'ready';
  url: string | null;
}

/** The definition of a process. */
export interface ServiceDefinition<Schema extends EnvSchema> {
  /** Name for logs and messages, such as `decision-engine`. */
  name: string;
  env: Schema;
  /** Further checks before the start. Reported together with errors in single keys. */
  checks?: readonly ConfigurationCheck<Schema & typeof commonEnv>[];
  /** Starts everything, and registers each part in `context.teardown`. Returns its address. */
  start(context: ServiceContext<Schema>): Promise<{ url: string | null }>;
  /** Receives an invalid configuration, before the process ends. */
  onInvalidConfiguration?(error: unknown, environment: NodeJS.ProcessEnv): Promise<void>;
}

/**
 * Runs a process until SIGTERM, SIGINT or the end of its supervisor, then stops its parts in reverse order. Problems
 * that an operator can solve end it with one line on standard error. A second SIGTERM or SIGINT ends it immediately,
 * unless it arrives within a second. SIGHUP reloads its configuration files. Without any, or when its terminal was
 * closed, it ends the process.
 * @returns the exit code; 78 when the configuration is not usable, 129 after SIGHUP.
 */
export async function runService<Schema extends EnvSchema>(
  definition: ServiceDefinition<Schema>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  surviveLostOutput();
  const { VIGIL_LOG_LEVEL = 'info', VIGIL_LOG_PRETTY: pretty = false } = readKeys(commonEnv, environment).values;
  const given: { level: LogLevel } = { level: VIGIL_LOG_LEVEL };
  const logger = createLogger({ service: definition.name, level: () => given.level, pretty });
  try {
    warnOfUnknownKeys(environment, logger);
    const schema: Schema & typeof commonEnv = { ...definition.env, ...commonEnv };
    const checks = definition.checks ?? [];
    const env = await checkConfiguration(schema, checks, environment);
    const metrics = createMetrics(definition.name);
    const { name } = definition;
    const reload = createReload({ name, schema, checks, environment, env, logger, metrics });
    reload.onChange(() => {
      given.level = env.VIGIL_LOG_LEVEL;
    });
    return await serve(definition, env, { logger, metrics, reload });
  } catch (error) {
    const exitCode = reportEnd(definition.name, error, logger);
    if (exitCode !== configurationExitCode) return exitCode;
    await definition.onInvalidConfiguration?.(error, environment).catch(() => undefined);
    return exitCode;
  }
}

/** Logs why the process ends. Returns the exit code. */
function reportEnd(name: string, error: unknown, logger: Logger): number {
  const exitCode = reportFatal(name, error, logger);
  return isConfigurationFault(error) ? configurationExitCode : exitCode;
}

/** Errors of the configuration are thrown with the exit code of wrong usage, wherever they are found. */
function isConfigurationFault(error: unknown): boolean {
  return error instanceof OperatorError && error.exitCode === 2;
}

async function serve<Schema extends EnvSchema>(
  definition: ServiceDefinition<Schema>,
  env: EnvValues<Schema & typeof commonEnv>,
  { logger, metrics, reload }: { logger: Logger; metrics: Metrics; reload: Reload },
): Promise<number> {
  const ending = createEnding(reload);
  const endListeners: EndListener[] = [];
  const announce = async (end: ServiceEnd) => {
    await Promise.all(endListeners.map((listener) => announceEnd(listener, end, logger)));
  };
  const basis = {
    env,
    logger,
    metrics,
    clock: systemClock,
    instanceId: newUuid(),
    hostId: env.VIGIL_HOST_ID ?? hostname(),
    teardown: createTeardown(logger),
  };
  const context: ServiceContext<Schema> = {
    ...basis,
    readiness: createReadiness(),
    newUuid,
    tracer: startTracing({ ...basis, name: definition.name }),
    fail: ending.fail,
    end: ending.end,
    onEnd: (listener) => endListeners.push(listener),
    answers: new Map(),
    loops: createLoopStatus(systemClock),
    envSchema: { ...definition.env, ...commonEnv },
    onReload: reload.onChange,
    follow(make) {
      const settings = make();
      reload.onChange(() => Object.assign(settings, make()));
      return settings;
    },
  };
  if (reload.hasFiles) context.teardown.add('configuration files', reload.followFiles());
  countLostOutput(context.metrics.counter('vigil_log_lines_lost_total', 'Log lines that could not be written'));
  const limitMs = env.VIGIL_WATCHDOG_SECONDS * 1000;
  // A developer with a debugger may stop the process for any time.
  const isWatched = limitMs > 0 && inspectorUrl() === undefined;
  const watchdog = isWatched ? startWatchdog({ limitMs, service: definition.name, logger }) : undefined;
  let isReady = false;
  try {
    const { url } = await Promise.race([startParts(definition, context), ending.promise.then(() => ({ url: null }))]);
    if (!ending.reached()) {
      isReady = true;
      logger.info({ url, instance: context.instanceId }, 'ready');
      process.send?.({ type: 'ready', url } satisfies ReadyMessage);
    }
    const { reason, error, uncaught, exitCode } = await ending.promise;
    logger.info({ reason }, 'stopping');
    await announce({ reason, error, uncaught, starting: !isReady });
    return error === undefined ? exitCode : reportEnd(definition.name, error, logger);
  } catch (error) {
    await announce({ reason: messageOf(error), error, uncaught: false, starting: true });
    throw error;
  } finally {
    await context.teardown.run();
    await watchdog?.stop();
    ending.dispose();
    if (process.connected) process.disconnect();
  }
}

async function announceEnd(listener: EndListener, end: ServiceEnd, logger: Logger): Promise<void> {
  try {
    await withTimeLimit<unknown>(Promise.resolve(listener(end)), endListenerMs, () => undefined);
  } catch (error) {
    logger.warn({ error }, 'cannot announce end of process');
  }
}

async function startParts<Schema extends EnvSchema>(
  definition: ServiceDefinition<Schema>,
  context: ServiceContext<Schema>,
): Promise<{ url: string | null }> {
  const { VIGIL_HEALTH_PORT: port, VIGIL_HEALTH_HOST: host, VIGIL_METRICS_TOKEN: metricsToken } = context.env;
  if (port !== undefined) {
    const health = await context.teardown.start('health server', () =>
      startHealthServer({ port, host }, { ...context, metricsToken }),
    );
    context.logger.info({ host, port: health.port }, 'health server listening');
  }
  return definition.start(context);
}

interface Ending {
  promise: Promise<{ reason: string; error?: unknown; uncaught: boolean; exitCode: number }>;
  reached(): boolean;
  fail(error: unknown): void;
  end(reason: string, exitCode: number): void;
  dispose(): void;
}

function createEnding(reload: Pick<Reload, 'hasFiles' | 'now'>): Ending {
  let resolveEnd: (end: Awaited<Ending['promise']>) => void = () => undefined;
  const promise: Ending['promise'] = new Promise((resolve) => {
    resolveEnd = resolve;
  });
  let reached = false;
  const end = (reason: string, error?: unknown, uncaught = false, exitCode = 0) => {
    if (reached) return;
    reached = true;
    resolveEnd({ reason, error, uncaught, exitCode });
  };
  const giveBack = onInterrupt(end);
  const hasLostTerminal = watchTerminal();
  const onHangUp = () => {
    // Without files only a restart changes the configuration.
    if (reload.hasFiles && !hasLostTerminal()) void reload.now();
    else end('SIGHUP', undefined, false, hangUpExitCode);
  };
  // A process must end when its supervisor was killed.
  const onDisconnect = () => {
    if (!reached) end('supervisor has ended');
  };
  const onUncaught = (error: unknown) => end('uncaught exception', error ?? new Error('unknown'), true);
  process.on('SIGHUP', onHangUp).on('disconnect', onDisconnect);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  return {
    promise,
    reached: () => reached,
    fail: (error) => end('failure', error ?? new Error('unknown')),
    end: (reason, exitCode) => end(reason, undefined, false, exitCode),
    dispose() {
      giveBack();
      process.off('SIGHUP', onHangUp).off('disconnect', onDisconnect);
      process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught);
    },
  };
}

/** Logs why the process ends. Returns the exit code. */
export function reportFatal(name: string, error: unknown, logger?: Logger): number {
  if (error instanceof OperatorError) {
    process.stderr.write(`vigil ${name}: ${printable(messageOf(error).replaceAll('\n', ' '))}\n`);
    return error.exitCode;
  }
  if (logger) logger.error({ error }, 'unexpected end');
  else process.stderr.write(`vigil ${name}: ${error instanceof Error ? error.stack : String(error)}\n`);
  return 1;
}

/**
 * Calls `end` at the first SIGINT or SIGTERM. Another one ends the process immediately, unless it arrives within a
 * second.
 * @returns a function that releases the signals.
 */
export function onInterrupt(end: (signal: NodeJS.Signals) => void): () => void {
  let firstAt: number | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (firstAt !== null && now - firstAt > sameMs) process.exit(forcedExitCode);
    if (firstAt !== null) return;
    firstAt = now;
    end(signal);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
}
