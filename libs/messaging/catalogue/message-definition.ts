import type { JsonObject, SchemaValue } from '#libs/domain';

/** A kind of work message: its schema, the queue that carries it, and how failures are treated. */
export interface MessageDefinition {
  /** Name, such as `plan.launch`. Also the routing key. */
  type: string;
  /**
   * Major version of the body that consumers accept. A newer one is requeued for newer processes for some time. Any
   * other becomes a dead letter.
   */
  version: number;
  /** Queue without the configurable prefix, such as `applier.plan.launch`. */
  queue: string;
  /** Maximum deliveries before the message is dead. */
  deliveryLimit: number;
  /** Back-off before each further delivery in seconds. The last one repeats. */
  retrySeconds: readonly number[];
  /** JSON Schema (2020-12) of the body. */
  schema: JsonObject;
  /** Its request. Printed in the AsyncAPI document. */
  description: string;
}

/** The body of a message, by its schema. */
export type BodyOf<Definition extends MessageDefinition> = SchemaValue<Definition['schema']>;

/** A message in the version of the catalogue, for the outbox. */
export function message<Definition extends MessageDefinition>(
  { type, version }: Definition,
  fields: Omit<BodyOf<Definition>, 'schema'>,
): { type: string; body: JsonObject } {
  return { type, body: { schema: `${type}/${version}`, ...fields } };
}
