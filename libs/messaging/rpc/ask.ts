import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { InvalidInputError, type JsonObject } from '#libs/domain';
import type { Consumer, MessageBus } from '../bus.ts';
import { UnknownVersionError } from '../errors.ts';
import type { RpcRefusal, RpcTopic } from './rpc-topic.ts';

/**
 * Longer replies are compressed: RabbitMQ 4 takes 16 MiB at most, and a model of 20,000 instances is longer than that.
 */
const packAboveCharacters = 256 * 1024;

const compress = promisify(gzip);
const expand = promisify(gunzip);

/**
 * Sends a question to a responder of `topic`. A refusal (`isRefusal`) is a result, not an error.
 * @throws InvalidInputError for text that not every bus can carry, NobodyAnswersError, RequestTimeoutError,
 * RemoteRequestError, BusUnavailableError
 */
export async function ask<Question extends object, Result extends object>(
  bus: Pick<MessageBus, 'request'>,
  topic: RpcTopic<Question, Result>,
  question: Question,
  options: { timeoutMs?: number } = {},
): Promise<Result | RpcRefusal> {
  refuseUnstorableText(question);
  const body = { schema: `${topic.topic}/${topic.version ?? 1}`, ...question } as JsonObject;
  const answered = await bus.request(topic.topic, body, { timeoutMs: options.timeoutMs ?? topic.timeoutMs });
  return (await unpack(answered)) as Result | RpcRefusal;
}

/** PostgreSQL, as a bus too, stores neither NUL nor half of a surrogate pair. */
function refuseUnstorableText(question: object): void {
  const unstorable = /[\0\p{Surrogate}]/u;
  JSON.stringify(question, (key, value: unknown) => {
    if (unstorable.test(key) || (typeof value === 'string' && unstorable.test(value))) {
      const field = key.replace(/[\0\p{Surrogate}]/gu, '�') || 'text';
      throw new InvalidInputError(field, 'contains NUL or half of a surrogate pair');
    }
    return value;
  });
}

/**
 * Responds to `topic` until stopped. Errors of `handler` reach the client as RemoteRequestError, and so does a question
 * of an
 * unknown version.
 */
export function answer<Question extends object, Result extends object>(
  bus: Pick<MessageBus, 'respond'>,
  topic: RpcTopic<Question, Result>,
  handler: (question: Question) => Promise<Result | RpcRefusal>,
): Promise<Consumer> {
  const known = topic.version ?? 1;
  return bus.respond(topic.topic, async (body) => {
    if (versionOf(body) !== known) throw new UnknownVersionError(String(body.schema), known);
    return pack(await handler(body as unknown as Question));
  });
}

/** Version at the end of a question's `schema`, such as 2 for `model.get/2`; 1 when there is none. */
function versionOf({ schema }: JsonObject): number {
  return Number((typeof schema === 'string' && /\/(\d+)$/.exec(schema)?.[1]) || 1);
}

/** A long reply becomes `{ gzip: <base64> }`. Rows of a model shrink to a tenth. */
async function pack(answer: object): Promise<JsonObject> {
  const text = JSON.stringify(answer);
  if (text.length <= packAboveCharacters) return JSON.parse(text) as JsonObject;
  return { gzip: (await compress(text)).toString('base64') };
}

/** The reverse of `pack`. */
async function unpack(answer: JsonObject): Promise<JsonObject> {
  if (typeof answer.gzip !== 'string') return answer;
  return JSON.parse((await expand(Buffer.from(answer.gzip, 'base64'))).toString('utf8')) as JsonObject;
}
