import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { isDeepStrictEqual } from 'node:util';
import { filesOf, reloadEnvironment } from '#libs/config-file';
import { type Logger, messageOf } from '#libs/domain';
import type { Metrics } from './create-metrics.ts';
import { type ConfigurationCheck, checkConfiguration } from './env/check-configuration.ts';
import type { EnvSchema, EnvValues } from './env/parse-env.ts';
import { filesVersion } from './file-version.ts';
import { startPeriodic } from './periodic.ts';

/** Interval of the checks of the configuration files. */
const checkMs = 5_000;
/** Only read at the start, and part of no schema. */
const ofCloud = /^OS_|^VIGIL_OPENSTACK_TIMEOUT_MS$/;

/** Sources of the configuration of a process. */
export interface ReloadSource<Schema extends EnvSchema> {
  /** Name of the process. Its section of the files has precedence. */
  name: string;
  schema: Schema;
  checks: readonly ConfigurationCheck<Schema>[];
  environment: NodeJS.ProcessEnv;
  /** The current values. Values of reloadable keys are replaced. */
  env: EnvValues<Schema>;
  logger: Logger;
  metrics: Metrics;
}

/** The configuration of a running process. */
export interface Reload {
  /** Whether it has files. Without them nothing can change. */
  hasFiles: boolean;
  /** Reads the files again. Errors are logged, and then nothing changes. */
  now(): Promise<void>;
  /** Calls `listener` after each change of a reloadable key. */
  onChange(listener: () => void): void;
  /**
   * Reads the files again whenever they have changed, until the returned function is called.
   * @param everyMs interval of the checks. A change must be seen in two consecutive checks
   */
  followFiles(everyMs?: number): () => Promise<void>;
}

/** Updates the values of reloadable keys from the configuration files. */
export function createReload<Schema extends EnvSchema>(source: ReloadSource<Schema>): Reload {
  const { environment, logger } = source;
  const files = filesOf(environment, { files: [], folders: [] });
  const listeners: (() => void)[] = [];
  /** Version of the last read files. */
  let taken = filesVersion(files);
  const reloads = source.metrics.counter(
    'vigil_configuration_reloads_total',
    'Readings of changed configuration files',
    ['result'],
  );

  async function now(): Promise<void> {
    taken = filesVersion(files);
    // Taken before the read: a later change has another version.
    await taken;
    try {
      const { reloaded, needRestart } = await takeChanges(source);
      if (reloaded.length > 0) for (const listener of listeners) listener();
      if (needRestart.length > 0)
        logger.warn({ keys: needRestart }, 'changed keys take effect at the next start of the process');
      logger.info({ keys: reloaded }, 'configuration reloaded');
      reloads.inc({ result: reloaded.length > 0 ? 'changed' : 'unchanged' });
    } catch (error) {
      reloads.inc({ result: 'refused' });
      logger.error(
        { reason: messageOf(error) },
        'cannot reload the configuration files, keeping the present configuration',
      );
    }
  }

  return {
    hasFiles: files.files.length + files.folders.length > 0,
    now,
    onChange: (listener) => void listeners.push(listener),
    followFiles(everyMs = checkMs) {
      let seen: string | null = null;
      const reading = startPeriodic({
        name: 'configuration files',
        everyMs,
        logger,
        async run() {
          const version = await filesVersion(files);
          const isSettled = version === seen;
          seen = version;
          if (isSettled && version !== (await taken)) await now();
        },
      });
      return reading.stop;
    },
  };
}

/**
 * Copies new values of reloadable keys to `env`.
 * @returns these keys, and the changed keys that need a restart
 * @throws the ConfigurationError of `checkConfiguration`
 */
async function takeChanges<Schema extends EnvSchema>({
  name,
  schema,
  checks,
  environment,
  env,
}: ReloadSource<Schema>): Promise<{ reloaded: string[]; needRestart: string[] }> {
  const fresh = reloadEnvironment(environment, name)?.environment ?? environment;
  const values = await checkConfiguration(schema, checks, fresh);
  const changed = Object.keys(schema).filter((key) => !isDeepStrictEqual(values[key], env[key]));
  const reloaded = changed.filter((key) => schema[key]?.reloadable);
  for (const key of reloaded) Object.assign(env, { [key]: values[key] });
  const cloudKeys = [...new Set([...Object.keys(environment), ...Object.keys(fresh)])].filter(
    (key) => ofCloud.test(key) && fresh[key] !== environment[key] && !(key in schema),
  );
  return { reloaded, needRestart: [...changed.filter((key) => !schema[key]?.reloadable), ...cloudKeys] };
}

/**
 * Watches the terminal that started this process.
 * @returns a function that returns whether it was closed, the other meaning of SIGHUP. Always false without a terminal
 */
export function watchTerminal(): () => boolean {
  const isOnTerminal = isatty(0) || isatty(2);
  return () => {
    if (!isOnTerminal) return false;
    try {
      closeSync(openSync('/dev/tty', 'r'));
      return false;
    } catch {
      return true;
    }
  };
}
