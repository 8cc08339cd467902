import { hostname } from 'node:os';
import { type Clock, type IdSource, type Logger, messageOf, OperatorError } from '#libs/domain';
import { createLogger } from './create-logger.ts';
import { createMetrics, type Metrics } from './create-metrics.ts';
import { commonEnv } from './env/common-env.ts';
import { type EnvSchema, type EnvValues, parseEnv } from './env/parse-env.ts';
import { startHealthServer } from './health-server.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { newUuid, systemClock } from './system-sources.ts';
import { createTeardown, type Teardown } from './teardown.ts';

/** What every process is built from. */
export interface ServiceContext<Schema extends EnvSchema> {
  env: EnvValues<Schema & typeof commonEnv>;
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
  clock: Clock;
  newUuid: IdSource;
  /** Fresh for each start of the process; holder of its leases. */
  instanceId: string;
  /** Value for `hostname` columns. */
  hostId: string;
  teardown: Teardown;
  /** Ends the process with exit code 1 after an orderly stop; for faults that it can not survive. */
  fail(error: unknown): void;
}

/** Sent to a supervising parent when the process has started; `url` is where it serves, if it does. */
export interface ReadyMessage {
  type: 'ready';
  url: string | null;
}

export interface ServiceDefinition<Schema extends EnvSchema> {
  /** Name for logs and messages, such as `decision-engine`. */
  name: string;
  env: Schema;
  /** Starts everything, registering each part in `context.teardown`; answers where it serves. */
  start(context: ServiceContext<Schema>): Promise<{ url: string | null }>;
}

/**
 * Runs a process until SIGTERM, SIGINT or the end of its supervisor, then stops its parts in reverse order. Problems
 * that an operator can solve end it with one line on standard error. A second signal ends it at once.
 * @returns the exit code.
 */
export async function runService<Schema extends EnvSchema>(
  definition: ServiceDefinition<Schema>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  let logger: Logger | undefined;
  try {
    const env = parseEnv({ ...definition.env, ...commonEnv }, environment);
    logger = createLogger({ service: definition.name, level: env.VIGIL_LOG_LEVEL, pretty: env.VIGIL_LOG_PRETTY });
    return await serve(definition, env as EnvValues<Schema & typeof commonEnv>, logger);
  } catch (error) {
    return reportFatal(definition.name, error, logger);
  }
}

async function serve<Schema extends EnvSchema>(
  definition: ServiceDefinition<Schema>,
  env: EnvValues<Schema & typeof commonEnv>,
  logger: Logger,
): Promise<number> {
  const ending = createEnding();
  const context: ServiceContext<Schema> = {
    env,
    logger,
    metrics: createMetrics(definition.name),
    readiness: createReadiness(),
    clock: systemClock,
    newUuid,
    instanceId: newUuid(),
    hostId: env.VIGIL_HOST_ID ?? hostname(),
    teardown: createTeardown(logger),
    fail: ending.fail,
  };
  try {
    const { url } = await Promise.race([startParts(definition, context), ending.promise.then(() => ({ url: null }))]);
    if (!ending.reached()) {
      logger.info({ url, instance: context.instanceId }, 'ready');
      process.send?.({ type: 'ready', url } satisfies ReadyMessage);
    }
    const { reason, error } = await ending.promise;
    logger.info({ reason }, 'stopping');
    return error === undefined ? 0 : reportFatal(definition.name, error, logger);
  } finally {
    await context.teardown.run();
    ending.dispose();
    if (process.connected) process.disconnect();
  }
}

async function startParts<Schema extends EnvSchema>(
  definition: ServiceDefinition<Schema>,
  context: ServiceContext<Schema>,
): Promise<{ url: string | null }> {
  if (context.env.VIGIL_HEALTH_PORT !== undefined) {
    const health = await startHealthServer(context.env.VIGIL_HEALTH_PORT, context);
    context.teardown.add('health server', health.stop);
    context.logger.info({ port: health.port }, 'health server listens');
  }
  return definition.start(context);
}

interface Ending {
  promise: Promise<{ reason: string; error?: unknown }>;
  reached(): boolean;
  fail(error: unknown): void;
  dispose(): void;
}

function createEnding(): Ending {
  let resolveEnd: (end: { reason: string; error?: unknown }) => void = () => undefined;
  const promise = new Promise<{ reason: string; error?: unknown }>((resolve) => {
    resolveEnd = resolve;
  });
  let reached = false;
  const end = (reason: string, error?: unknown) => {
    if (reached && error === undefined) process.exit(130);
    if (reached) return;
    reached = true;
    resolveEnd({ reason, error });
  };
  const onSignal = (signal: NodeJS.Signals) => end(signal);
  // A process whose supervisor was killed must not live on unseen.
  const onDisconnect = () => {
    if (!reached) end('supervisor is gone');
  };
  const onUncaught = (error: unknown) => end('uncaught exception', error ?? new Error('unknown'));
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal).on('disconnect', onDisconnect);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  return {
    promise,
    reached: () => reached,
    fail: (error) => end('failure', error ?? new Error('unknown')),
    dispose() {
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal).off('disconnect', onDisconnect);
      process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught);
    },
  };
}

/** Tells people why the process ends; answers the exit code. */
export function reportFatal(name: string, error: unknown, logger?: Logger): number {
  if (error instanceof OperatorError) {
    process.stderr.write(`vigil ${name}: ${messageOf(error).replaceAll('\n', ' ')}\n`);
    return error.exitCode;
  }
  if (logger) logger.error({ error }, 'unexpected end');
  else process.stderr.write(`vigil ${name}: ${error instanceof Error ? error.stack : String(error)}\n`);
  return 1;
}
