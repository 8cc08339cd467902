import type { JsonObject } from '#libs/domain';

/** A message in transit. Bodies contain ids, never entities or secrets. */
export interface Envelope {
  /** Uuid. Consumers detect duplicates by it. */
  messageId: string;
  /** Name in the catalogue, such as `plan.launch`. */
  type: string;
  body: JsonObject;
  /** Id of the request that caused it, for logs. */
  correlationId?: string | null;
  /** Span that caused it, as `traceparent` of W3C trace context. Null or absent without tracing. */
  traceparent?: string | null;
  /** Number of earlier deliveries. 0 for the first. */
  attempt: number;
  /** Time of publishing, ISO 8601. */
  timestamp: string;
}

/**
 * Verdict of a handler on a message. `ack`: done. `retry`: deliver again after a back-off, or dead-letter at the
 * delivery limit. `dead`: can never succeed, dead-letter immediately. A thrown error counts as `retry` with its
 * message as the reason, or as `dead` when its category is `permanent` or `invalid-input`.
 */
export type Verdict = { kind: 'ack' } | { kind: 'retry'; reason: string } | { kind: 'dead'; reason: string };

/** Handles one message. See `Verdict` for its results. */
export type Handler = (envelope: Envelope) => Promise<Verdict>;

/** A consumer that receives messages until it is stopped. */
export interface Consumer {
  /** Receives no further message and waits for the running handlers. */
  stop(): Promise<void>;
}

/** Request/response and broadcast messages are hints and requests. Work uses `publish` and `consume`. */
export type RequestHandler = (body: JsonObject) => Promise<JsonObject>;

/**
 * The port that AMQP and Postgres implement and that one contract suite tests. Delivery is at least once. Messages of
 * one queue arrive in order of publishing while none is retried and there is one consumer with `prefetch` 1.
 */
export interface MessageBus extends DeadLetters {
  /** The transport, as the value of `messaging.system` in OpenTelemetry's conventions. */
  readonly system: 'rabbitmq' | 'postgresql';
  /**
   * Sends work messages. Resolves for each in order with true when its queue has durably stored it, or with the reason
   * otherwise (no route, no connection, time-out after 10 s).
   */
  publish(envelopes: Envelope[]): Promise<(true | string)[]>;
  /** Consumes the queue of the catalogue entry named `type`. At most `prefetch` handlers run concurrently. */
  consume(type: string, handler: Handler, options: { prefetch: number }): Promise<Consumer>;
  /** Sends a request to a responder of `topic`. Rejects after `timeoutMs` or without a responder. */
  request(topic: string, body: JsonObject, options: { timeoutMs: number }): Promise<JsonObject>;
  /** Serves requests on `topic`. Each request is delivered to one of several responders. */
  respond(topic: string, handler: RequestHandler): Promise<Consumer>;
  /** Notifies every connected subscriber of `topic`. Lost without a subscriber. */
  broadcast(topic: string, body: JsonObject): Promise<void>;
  subscribe(topic: string, handler: (body: JsonObject) => void): Promise<Consumer>;
  /** Publishes a nonce and receives it. Throws with the reason when this fails within 5 s. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Operations on dead letters. */
export interface DeadLetters {
  /** Dead letters, newest first, among the oldest 1000 that are stored. They are not removed. */
  deadLetters(limit: number): Promise<DeadLetter[]>;
  /** Number of stored letters. While another process reads them, the number may be lower. */
  deadLetterCount(): Promise<number>;
  /**
   * Sends one to its queue again, with a new time of publishing and the same id and body, and removes it when the
   * queue has stored it. Returns false when it no longer exists, and a reason when it would become a dead letter
   * again.
   */
  redriveDeadLetter(id: string): Promise<boolean | { refused: string }>;
  /** Removes one permanently. Returns false when it no longer exists. */
  discardDeadLetter(id: string): Promise<boolean>;
}

/** A dead letter. */
export interface DeadLetter {
  /** Identifies it while it is stored. */
  id: string;
  envelope: Envelope;
  queue: string;
  reason: string;
  at: string;
}
