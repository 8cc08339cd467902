import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '#libs/domain';

/** Digest of the arguments without the `ignored` ones; the order of keys does not matter. */
export function argsKeyOf(args: JsonObject, ignored: readonly string[] = []): string {
  const counted = Object.entries(args).filter(([name]) => !ignored.includes(name));
  return createHash('sha256')
    .update(JSON.stringify(sorted(Object.fromEntries(counted))))
    .digest('base64url');
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}
