/** A kind of work message: its schema, the queue that carries it, and how failures are treated. */
export interface MessageDefinition {
  /** Name, such as `plan.launch`; also the routing key. */
  type: string;
  /** Major version of the body; consumers accept this one and send anything newer to the dead letters. */
  version: number;
  /** Queue without the configurable prefix, such as `applier.plan.launch`. */
  queue: string;
  /** Deliveries at most before the message is dead. */
  deliveryLimit: number;
  /** Back-off before each further delivery in seconds; the last one repeats. */
  retrySeconds: readonly number[];
  /** JSON Schema (2020-12) of the body. */
  schema: object;
  /** What it asks for; printed in the AsyncAPI document. */
  description: string;
}
