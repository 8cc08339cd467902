import { promisify } from 'node:util';
import { gunzip, gzip, type ZlibOptions } from 'node:zlib';
import { InvalidInputError, type JsonObject } from '#libs/domain';
import { untilAborted } from '#libs/service-kit';
import type { Consumer, MessageBus } from '../bus.ts';
import { UnknownVersionError } from '../errors.ts';
import { type Call, type Cancels, cancelTopic } from './cancels.ts';
import type { RpcRefusal, RpcTopic } from './rpc-topic.ts';

/** Longer replies are compressed: RabbitMQ 4 accepts at most 16 MiB, and a model of 20,000 instances is longer. */
const packAboveCharacters = 256 * 1024;

/** The default level takes twice the processor time for a sixth of the bytes. */
const packLevel = 1;

const compress = promisify<string, ZlibOptions, Buffer>(gzip);
const expand = promisify(gunzip);

/** Options of a request. */
export interface CallOptions {
  /** Time limit in milliseconds. Default: that of the topic. The responder also ends the work then. */
  timeoutMs?: number;
  /** Party for fair scheduling, see `Call`. Default: none. */
  requester?: string;
  /**
   * Ends the wait and the work of the responder when `signal` is aborted. `id` is unique. Default: only the time
   * limit.
   */
  cancel?: { id: string; signal: AbortSignal };
}

/**
 * Sends a request to a responder of `topic`. A refusal (`isRefusal`) is a result, not an error.
 * @throws InvalidInputError for text that not every bus supports, NoResponderError, RequestTimeoutError,
 * RemoteRequestError, BusUnavailableError, the reason of `cancel.signal`
 */
export async function callRpc<Request extends object, Result extends object>(
  bus: Pick<MessageBus, 'request'> & Partial<Pick<MessageBus, 'broadcast'>>,
  topic: RpcTopic<Request, Result>,
  request: Request,
  { timeoutMs = topic.timeoutMs, requester, cancel }: CallOptions = {},
): Promise<Result | RpcRefusal> {
  refuseUnstorableText(request);
  const call = {
    within_ms: timeoutMs,
    ...(requester !== undefined && { requester }),
    ...(cancel && { id: cancel.id }),
  };
  const body = { schema: `${topic.topic}/${topic.version ?? 1}`, ...request, call } as JsonObject;
  if (!cancel) return (await unpack(await bus.request(topic.topic, body, { timeoutMs }))) as Result | RpcRefusal;
  const { id, signal } = cancel;
  signal.throwIfAborted();
  // A lost broadcast is harmless: the responder ends the work at the time limit.
  const onAbort = () => void bus.broadcast?.(cancelTopic, { schema: `${cancelTopic}/1`, id }).catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const reply = await untilAborted(bus.request(topic.topic, body, { timeoutMs }), signal);
    return (await unpack(reply)) as Result | RpcRefusal;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** PostgreSQL, which may be the bus, stores neither NUL nor half of a surrogate pair. */
function refuseUnstorableText(request: object): void {
  const unstorable = /[\0\p{Surrogate}]/u;
  JSON.stringify(request, (key, value: unknown) => {
    if (unstorable.test(key) || (typeof value === 'string' && unstorable.test(value))) {
      const field = key.replace(/[\0\p{Surrogate}]/gu, '�') || 'text';
      throw new InvalidInputError(field, 'contains NUL or half of a surrogate pair');
    }
    return value;
  });
}

/**
 * Responds to `topic` until stopped. Errors of `handler` reach the client as RemoteRequestError, as do requests of an
 * unknown version.
 * @param cancels default: the signal of a call is only aborted at its time limit
 */
export function serveRpc<Request extends object, Result extends object>(
  bus: Pick<MessageBus, 'respond'>,
  topic: RpcTopic<Request, Result>,
  handler: (request: Request, call: Call) => Promise<Result | RpcRefusal>,
  cancels?: Pick<Cancels, 'follow'>,
): Promise<Consumer> {
  const known = topic.version ?? 1;
  return bus.respond(topic.topic, async ({ call, ...body }) => {
    if (versionOf(body) !== known) throw new UnknownVersionError(String(body.schema), known);
    const {
      id,
      requester,
      within_ms: withinMs,
    } = (call ?? {}) as { id?: unknown; requester?: unknown; within_ms?: unknown };
    const cancel = typeof id === 'string' ? cancels?.follow(id) : undefined;
    const limit = new AbortController();
    const onLimit = () => limit.abort(new Error('the client has stopped waiting'));
    const timer = typeof withinMs === 'number' ? setTimeout(onLimit, withinMs) : undefined;
    const signal = cancel ? AbortSignal.any([limit.signal, cancel.signal]) : limit.signal;
    try {
      const party = typeof requester === 'string' ? requester : null;
      return await pack(await handler(body as unknown as Request, { requester: party, signal }));
    } finally {
      clearTimeout(timer);
      cancel?.end();
    }
  });
}

/** Version at the end of a request's `schema`, such as 2 for `model.get/2`. 1 without one. */
function versionOf({ schema }: JsonObject): number {
  return Number((typeof schema === 'string' && /\/(\d+)$/.exec(schema)?.[1]) || 1);
}

/** Compresses a long reply to `{ gzip: <base64> }`. Rows of a model shrink to a tenth. */
async function pack(response: object): Promise<JsonObject> {
  const text = JSON.stringify(response);
  if (text.length <= packAboveCharacters) return JSON.parse(text) as JsonObject;
  return { gzip: (await compress(text, { level: packLevel })).toString('base64') };
}

/** The reverse of `pack`. */
async function unpack(response: JsonObject): Promise<JsonObject> {
  if (typeof response.gzip !== 'string') return response;
  return JSON.parse((await expand(Buffer.from(response.gzip, 'base64'))).toString('utf8')) as JsonObject;
}
