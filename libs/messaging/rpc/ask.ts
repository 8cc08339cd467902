import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { JsonObject } from '#libs/domain';
import type { Consumer, MessageBus } from '../bus.ts';
import { RemoteRequestError, UnknownVersionError } from '../errors.ts';
import { versionOf, withVersion } from '../version-bridge.ts';
import type { RpcRefusal, RpcTopic } from './rpc-topic.ts';

/** Longer answers are compressed: RabbitMQ 4 takes 16 MiB at most, and a model of 20,000 instances is longer than that. */
const packAboveCharacters = 256 * 1024;

const compress = promisify(gzip);
const expand = promisify(gunzip);

/**
 * Asks whoever answers `topic`, in the version before when the responder does not know the newest. A refusal
 * (`isRefusal`) is an answer, not an error.
 * @throws NobodyAnswersError, RequestTimeoutError, RemoteRequestError, BusUnavailableError
 */
export async function ask<Question extends object, Answer extends object>(
  bus: Pick<MessageBus, 'request'>,
  topic: RpcTopic<Question, Answer>,
  question: Question,
  options: { timeoutMs?: number } = {},
): Promise<Answer | RpcRefusal> {
  const version = newestOf(topic);
  const body = { schema: `${topic.topic}/${version}`, ...question } as JsonObject;
  const send = async (sent: JsonObject) =>
    unpack(await bus.request(topic.topic, sent, { timeoutMs: options.timeoutMs ?? topic.timeoutMs }));
  try {
    return (await send(body)) as Answer | RpcRefusal;
  } catch (error) {
    if (!topic.previous || !isVersionUnknown(error)) throw error;
    const { question: bridge, answer: back } = topic.previous;
    const older = { ...bridge.downgrade(body), schema: body.schema ?? '' };
    const answered = await send(withVersion(older, version - 1));
    return ('error' in answered ? answered : back.upgrade(answered)) as Answer | RpcRefusal;
  }
}

/**
 * Answers `topic` until stopped, in the version of the question. What `handler` throws reaches the asker as
 * RemoteRequestError; so does that the version of a question is not known.
 */
export function answer<Question extends object, Answer extends object>(
  bus: Pick<MessageBus, 'respond'>,
  topic: RpcTopic<Question, Answer>,
  handler: (question: Question) => Promise<Answer | RpcRefusal>,
): Promise<Consumer> {
  const newest = newestOf(topic);
  return bus.respond(topic.topic, async (body) => {
    // Questions without a version are from before it was sent.
    const version = versionOf(body) ?? 1;
    if (version === newest) return pack(await handler(body as unknown as Question));
    if (version !== newest - 1 || !topic.previous) throw new UnknownVersionError(String(body.schema), newest);
    const { question, answer: back } = topic.previous;
    const upgraded = withVersion({ ...question.upgrade(body), schema: body.schema ?? '' }, newest);
    const answered = await handler(upgraded as unknown as Question);
    return pack('error' in answered ? answered : back.downgrade(answered as unknown as JsonObject));
  });
}

function newestOf({ version = 1 }: { version?: number }): number {
  return version;
}

function isVersionUnknown(error: unknown): boolean {
  return error instanceof RemoteRequestError && error.remoteCode === 'version_unknown';
}

/** A long answer becomes `{ gzip: <base64> }`; rows of a model shrink to a tenth. */
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
