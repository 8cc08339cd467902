import type { JsonObject } from '#libs/domain';

/** A message on its way. Bodies carry ids, never entities or secrets. */
export interface Envelope {
  /** Uuid. Consumers use it to notice duplicates. */
  messageId: string;
  /** Name in the catalogue, such as `plan.launch`. */
  type: string;
  body: JsonObject;
  /** Id of the request that caused it, for logs. */
  correlationId?: string | null;
  /** Span that caused it, as `traceparent` of W3C trace context. Null or absent when that was not traced. */
  traceparent?: string | null;
  /** How often it has been delivered before; 0 the first time. */
  attempt: number;
  /** When it was published, ISO 8601. */
  timestamp: string;
}

/**
 * Verdict of a handler on a message. `ack`: done. `retry`: deliver again after a back-off, to the dead letters when the
 * delivery limit is reached. `dead`: can never work, to the dead letters at once. A thrown error counts as `retry` with
 * its message as the reason (`dead` when its category is `permanent` or `invalid-input`).
 */
export type Verdict = { kind: 'ack' } | { kind: 'retry'; reason: string } | { kind: 'dead'; reason: string };

/** Works on one message. See `Verdict` for its results. */
export type Handler = (envelope: Envelope) => Promise<Verdict>;

/** Something that takes messages until it is stopped. */
export interface Consumer {
  /** Takes no further message and waits for the handlers that run. */
  stop(): Promise<void>;
}

/** Request/response and broadcast messages are hints and requests. Work goes through `publish` and `consume`. */
export type RequestHandler = (body: JsonObject) => Promise<JsonObject>;

/**
 * The port that AMQP and Postgres implement and one contract suite proves. Delivery is at least once. Messages of one
 * queue arrive in order of publishing as long as none is retried and there is one consumer with `prefetch` 1.
 */
export interface MessageBus extends DeadLetters {
  /** The carrier of the messages, as `messaging.system` of OpenTelemetry's conventions has it. */
  readonly system: 'rabbitmq' | 'postgresql';
  /**
   * Sends work messages. Resolves for each in turn with true when it is durably stored in its queue, or with the reason
   * why not (no route, no connection, time-out after 10 s).
   */
  publish(envelopes: Envelope[]): Promise<(true | string)[]>;
  /** Consumes the queue of the catalogue entry named `type`. At most `prefetch` handlers run at once. */
  consume(type: string, handler: Handler, options: { prefetch: number }): Promise<Consumer>;
  /** Sends a request to a responder of `topic`. Rejects after `timeoutMs` or without a responder. */
  request(topic: string, body: JsonObject, options: { timeoutMs: number }): Promise<JsonObject>;
  /** Returns requests on `topic`. One of several responders gets each. */
  respond(topic: string, handler: RequestHandler): Promise<Consumer>;
  /** Notifies every connected subscriber of `topic`. Lost without one. */
  broadcast(topic: string, body: JsonObject): Promise<void>;
  subscribe(topic: string, handler: (body: JsonObject) => void): Promise<Consumer>;
  /** Publishes a nonce and receives it back. Throws with the reason when that fails within 5 s. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Operations on messages that were given up. */
export interface DeadLetters {
  /** Dead letters, newest first, of the oldest 1000 that are parked. They stay where they are. */
  deadLetters(limit: number): Promise<DeadLetter[]>;
  /** Number of parked letters. While another process reads them the number may be lower. */
  deadLetterCount(): Promise<number>;
  /**
   * Sends one to its queue again, as a message published now with the same id and body, and removes it when that is
   * stored. Returns false when it no longer exists, and a reason when it would only be given up again.
   */
  redriveDeadLetter(id: string): Promise<boolean | { refused: string }>;
  /** Removes one permanently. False when it no longer exists. */
  discardDeadLetter(id: string): Promise<boolean>;
}

/** A message that was given up. */
export interface DeadLetter {
  /** Identifies it while it is parked. */
  id: string;
  envelope: Envelope;
  queue: string;
  reason: string;
  at: string;
}
