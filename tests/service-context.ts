import {
  createLogger,
  createLoopStatus,
  createMetrics,
  createReadiness,
  createTeardown,
  newUuid,
  type ServiceContext,
  systemClock,
} from '#libs/service-kit';
import { commonEnv, type EnvSchema, parseEnv } from '#libs/service-kit/env';
import { noTracer } from '#libs/tracing';

/** Receives events of a composed process. Default: ignored. */
export interface TestContextOptions {
  /** Receives each line of the log, from level `info` on. */
  onLine?(line: string): void;
  /** Receives the error with which the process would have ended. */
  onFailure?(error: unknown): void;
}

/**
 * The context of process `service` with the values of `env`, without a process: nothing ends or listens. The test must
 * run its `teardown`.
 * @throws OperatorError as `parseEnv`
 */
export function createTestContext<Schema extends EnvSchema>(
  service: string,
  schema: Schema,
  env: Record<string, string>,
  { onLine = () => {}, onFailure = () => {} }: TestContextOptions = {},
): ServiceContext<Schema> {
  const logger = createLogger({ service, level: 'info', pretty: false, write: onLine });
  return {
    env: parseEnv({ ...schema, ...commonEnv }, env),
    logger,
    metrics: createMetrics(service),
    readiness: createReadiness(),
    clock: systemClock,
    newUuid,
    instanceId: newUuid(),
    hostId: 'host',
    teardown: createTeardown(logger),
    fail: onFailure,
    end: () => {},
    onEnd: () => {},
    answers: new Map(),
    loops: createLoopStatus(systemClock),
    tracer: noTracer,
    envSchema: schema,
    onReload: () => {},
    follow: (make) => make(),
  };
}
