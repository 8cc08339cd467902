import { InvalidInputError, type JsonObject } from '#libs/domain';
import type { Consumer, MessageBus } from '../bus.ts';
import { pack, unpack } from './packing.ts';
import type { RpcRefusal, RpcTopic } from './rpc-topic.ts';

/**
 * Asks whoever answers `topic`. A refusal (`isRefusal`) is an answer, not an error.
 * @throws NobodyAnswersError, RequestTimeoutError, RemoteRequestError, BusUnavailableError
 */
export async function ask<Question extends object, Answer extends object>(
  bus: Pick<MessageBus, 'request'>,
  topic: RpcTopic<Question, Answer>,
  question: Question,
  options: { timeoutMs?: number } = {},
): Promise<Answer | RpcRefusal> {
  const body = { schema: `${topic.topic}/${versionOf(topic)}`, ...question } as JsonObject;
  const answer = await bus.request(topic.topic, body, {
    timeoutMs: options.timeoutMs ?? topic.timeoutMs,
  });
  return (await unpack(answer)) as Answer | RpcRefusal;
}

/** Questions without one are from before it was sent. */
function versionOf({ version = 1 }: { version?: number }): number {
  return version;
}

function refuseNewer(topic: { topic: string; version?: number }, { schema }: JsonObject): void {
  const asked = typeof schema === 'string' ? Number(/\/(\d+)$/.exec(schema)?.[1]) : 1;
  if (asked <= versionOf(topic)) return;
  throw new InvalidInputError('schema', `${schema} is newer than version ${versionOf(topic)}, the newest known here`);
}

/**
 * Answers `topic` until stopped. What `handler` throws reaches the asker as RemoteRequestError; so does that a question is of
 * a newer version, which the asker then has to ask in the older one.
 */
export function answer<Question extends object, Answer extends object>(
  bus: Pick<MessageBus, 'respond'>,
  topic: RpcTopic<Question, Answer>,
  handler: (question: Question) => Promise<Answer | RpcRefusal>,
): Promise<Consumer> {
  return bus.respond(topic.topic, async (body) => {
    refuseNewer(topic, body);
    return pack(await handler(body as unknown as Question));
  });
}
