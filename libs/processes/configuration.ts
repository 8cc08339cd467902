import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '#libs/domain';
import type { EnvSchema } from '#libs/service-kit/env';

/** The JSON schema (2020-12) of the configuration of a service type, from its keys. */
export function configurationSchema(keys: EnvSchema): JsonObject {
  const properties = Object.entries(keys).map(([name, key]) => [
    name,
    {
      ...key.schema,
      description: key.description,
      'x-reloadable': key.reloadable,
      ...(key.secret ? { writeOnly: true } : {}),
    },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties) as JsonObject,
  };
}

/** The visible part of a configuration: everything that is set, secrets only as `[set]`. */
export function shownConfiguration(keys: EnvSchema, values: Readonly<Record<string, unknown>>): JsonObject {
  const entries = Object.entries(keys)
    .filter(([name]) => values[name] !== undefined)
    .map(([name, key]): [string, JsonValue] => [
      name,
      key.secret ? '[set]' : withoutUserinfo(values[name] as JsonValue),
    ]);
  return Object.fromEntries(entries);
}

/** A URL may have credentials although its key is not a secret. */
function withoutUserinfo(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(/^([a-z][\w+.-]*:\/\/)[^/@]*@/i, '$1[set]@');
  return Array.isArray(value) ? value.map(withoutUserinfo) : value;
}

/** Digest of a configuration with its secrets masked: a digest over secrets would allow guessing them. */
export function configurationHash(keys: EnvSchema, values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(shownConfiguration(keys, values)).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 16);
}
