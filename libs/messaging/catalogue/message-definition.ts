import type { JsonObject, SchemaValue } from '#libs/domain';
import type { VersionBridge } from '../version-bridge.ts';

/** A kind of work message: its schema, the queue that carries it, and how failures are treated. */
export interface MessageDefinition {
  /** Name, such as `plan.launch`; also the routing key. */
  type: string;
  /**
   * Major version of the body. Consumers accept this one and, with `previous`, the one before; a newer one goes back for newer
   * processes for a while, and anything else goes to the dead letters.
   */
  version: number;
  /** Queue without the configurable prefix, such as `applier.plan.launch`. */
  queue: string;
  /** Deliveries at most before the message is dead. */
  deliveryLimit: number;
  /** Back-off before each further delivery in seconds; the last one repeats. */
  retrySeconds: readonly number[];
  /** JSON Schema (2020-12) of the body. */
  schema: JsonObject;
  /**
   * The version before. A release that brings a new version sends the former one (`isSent`), because consumers of the release
   * before it may still run, and reads both; the next release sends the new one and still reads both; the one
   * after that does without. So two adjacent releases always understand each other.
   */
  previous?: VersionBridge & {
    schema: object;
    isSent: boolean;
  };
  /** Its request; printed in the AsyncAPI document. */
  description: string;
}

/** The body of a message as its schema has it. */
export type BodyOf<Definition extends MessageDefinition> = SchemaValue<Definition['schema']>;

/** A message in the version of the catalogue, as the outbox takes it. */
export function message<Definition extends MessageDefinition>(
  { type, version }: Definition,
  fields: Omit<BodyOf<Definition>, 'schema'>,
): { type: string; body: JsonObject } {
  return { type, body: { schema: `${type}/${version}`, ...fields } };
}
