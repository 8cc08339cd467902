import type { JsonObject } from '#libs/domain';

/**
 * How a body of the version before becomes one of the newest, and the way back. It is always the newer side that
 * converts: a process of the former release knows nothing of this one. Neither sets `schema`; that is done for them.
 */
export interface VersionBridge {
  upgrade(body: JsonObject): JsonObject;
  /** May lose what the older version has no word for. */
  downgrade(body: JsonObject): JsonObject;
}

/** Version at the end of a body's `schema`, such as 2 for `plan.launch/2`; null when there is none. */
export function versionOf({ schema }: JsonObject): number | null {
  const digits = typeof schema === 'string' ? /\/(\d+)$/.exec(schema)?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}

/** The body with another version in its `schema`. */
export function withVersion(body: JsonObject, version: number): JsonObject {
  return { ...body, schema: String(body.schema ?? '').replace(/\d+$/, String(version)) };
}
