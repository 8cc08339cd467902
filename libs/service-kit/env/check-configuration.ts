import { ConfigurationError, messageOf, OperatorError } from '#libs/domain';
import { type EnvSchema, type EnvValues, readKeys } from './parse-env.ts';
import { unverifiedTlsFaults } from './refuse-unverified-tls.ts';

/** A check of several keys: the variables of the cloud, plugins, the required database. */
export interface ConfigurationCheck<Schema extends EnvSchema> {
  /** Keys that it reads. It is skipped when one of them is invalid. */
  reads: readonly (keyof Schema & string)[];
  /** @throws OperatorError with the faults */
  check(values: EnvValues<Schema>, environment: NodeJS.ProcessEnv): unknown;
}

/**
 * Reads all keys of `schema` from `environment`, as `parseEnv` does, and runs the checks.
 * @throws ConfigurationError with every error of all of them
 */
export async function checkConfiguration<Schema extends EnvSchema>(
  schema: Schema,
  checks: readonly ConfigurationCheck<Schema>[],
  environment: NodeJS.ProcessEnv,
): Promise<EnvValues<Schema>> {
  const { values, faults: keyFaults } = readKeys(schema, environment);
  const faults = [...keyFaults.values(), ...unverifiedTlsFaults(environment)];
  for (const { reads, check } of checks) {
    if (reads.some((key) => keyFaults.has(key))) continue;
    try {
      await check(values, environment);
    } catch (error) {
      faults.push(...faultsOf(error));
    }
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return values;
}

function faultsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigurationError) return error.faults;
  if (error instanceof OperatorError) return [messageOf(error)];
  throw error;
}
