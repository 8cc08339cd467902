import type { JsonObject, SchemaValue } from '#libs/domain';

/** A kind of work message: its schema, the queue that carries it, and how failures are treated. */
export interface MessageDefinition {
  /** Name, such as `plan.launch`. Also the routing key. */
  type: string;
  /**
   * Major version of the body. Consumers accept this one. A newer one returns for newer processes for a while, and
   * anything else goes to the dead letters.
   */
  version: number;
  /** Queue without the configurable prefix, such as `applier.plan.launch`. */
  queue: string;
  /** Deliveries at most before the message is dead. */
  deliveryLimit: number;
  /** Back-off before each further delivery in seconds. The last one repeats. */
  retrySeconds: readonly number[];
  /** JSON Schema (2020-12) of the body. */
  schema: JsonObject;
  /** Its request. Printed in the AsyncAPI document. */
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
