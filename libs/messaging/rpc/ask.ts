import type { JsonObject } from '#libs/domain';
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
  const answer = await bus.request(topic.topic, question as JsonObject, {
    timeoutMs: options.timeoutMs ?? topic.timeoutMs,
  });
  return (await unpack(answer)) as Answer | RpcRefusal;
}

/** Answers `topic` until stopped. What `handler` throws reaches the asker as RemoteRequestError. */
export function answer<Question extends object, Answer extends object>(
  bus: Pick<MessageBus, 'respond'>,
  topic: RpcTopic<Question, Answer>,
  handler: (question: Question) => Promise<Answer | RpcRefusal>,
): Promise<Consumer> {
  return bus.respond(topic.topic, async (body) => pack(await handler(body as unknown as Question)));
}
