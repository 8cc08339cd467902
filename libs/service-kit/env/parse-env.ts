import { readFileSync } from 'node:fs';
import { ConfigurationError, messageOf } from '#libs/domain';
import type { EnvKey } from './env-key.ts';

/** The configuration keys of a process, by the name of the environment variable. */
export type EnvSchema = Record<string, EnvKey<unknown>>;

/** The parsed values of a schema. */
export type EnvValues<Schema extends EnvSchema> = { [Name in keyof Schema]: ReturnType<Schema[Name]['parse']> };

/**
 * Reads all keys of `schema` from `env`. `<NAME>_FILE` names a file with the value of a secret.
 * @throws ConfigurationError that lists all errors.
 */
export function parseEnv<Schema extends EnvSchema>(schema: Schema, env: NodeJS.ProcessEnv): EnvValues<Schema> {
  const { values, faults } = readKeys(schema, env);
  if (faults.size > 0) throw new ConfigurationError([...faults.values()]);
  return values;
}

/** Like `parseEnv`, but returns the errors by key. The values lack those keys. */
export function readKeys<Schema extends EnvSchema>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): { values: EnvValues<Schema>; faults: Map<string, string> } {
  const values: Record<string, unknown> = {};
  const faults = new Map<string, string>();
  for (const [name, key] of Object.entries(schema)) {
    try {
      values[name] = key.parse(readText(name, key, env));
    } catch (error) {
      faults.set(name, `${name} ${messageOf(error)}`);
    }
  }
  return { values: values as EnvValues<Schema>, faults };
}

function readText(name: string, key: EnvKey<unknown>, env: NodeJS.ProcessEnv): string | undefined {
  const file = env[`${name}_FILE`];
  if (!key.secret || !file || env[name]) return env[name];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`cannot be read from the file that ${name}_FILE names: ${messageOf(error)}`);
  }
}
