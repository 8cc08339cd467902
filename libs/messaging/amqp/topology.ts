import type { ChannelModel } from 'amqplib';
import { messageOf, OperatorError } from '#libs/domain';
import type { MessageDefinition } from '../catalogue/message-definition.ts';
import { openChannel } from './open-channel.ts';

/** Names of exchanges and queues. All start with the prefix. */
export interface AmqpNames {
  work: string;
  retry: string;
  dead: string;
  events: string;
  deadQueue: string;
  queue(definition: MessageDefinition): string;
  retryQueue(definition: MessageDefinition, seconds: number): string;
  retryKey(definition: MessageDefinition, seconds: number): string;
  requestQueue(topic: string): string;
}

/** Names of all exchanges and queues that start with `prefix`. */
export function amqpNames(prefix: string): AmqpNames {
  const queue = (definition: MessageDefinition): string => `${prefix}.${definition.queue}`;
  return {
    work: `${prefix}.work`,
    retry: `${prefix}.retry`,
    dead: `${prefix}.dead`,
    events: `${prefix}.events`,
    deadQueue: `${prefix}.dead.all`,
    queue,
    retryQueue: (definition, seconds) => `${queue(definition)}.retry.${seconds}s`,
    retryKey: (definition, seconds) => `${definition.queue}.${seconds}s`,
    requestQueue: (topic) => `${prefix}.rpc.${topic}`,
  };
}

const deadLettersKept = 100_000;
/** Operators read dead letters without removing them. RabbitMQ 4 would drop them after 20 reads by default. */
const deadLetterDeliveryLimit = 1_000_000;

interface QueuePlan {
  name: string;
  exchange: string;
  key: string;
  arguments: Record<string, string | number>;
}

function queuePlans(names: AmqpNames, catalogue: readonly MessageDefinition[]): QueuePlan[] {
  const dead: QueuePlan = {
    name: names.deadQueue,
    exchange: names.dead,
    key: '#',
    arguments: { 'x-max-length': deadLettersKept, 'x-delivery-limit': deadLetterDeliveryLimit },
  };
  return [
    dead,
    ...catalogue.flatMap((definition) => [workQueue(names, definition), ...retryQueues(names, definition)]),
  ];
}

function workQueue(names: AmqpNames, definition: MessageDefinition): QueuePlan {
  return {
    name: names.queue(definition),
    exchange: names.work,
    key: definition.type,
    arguments: {
      'x-delivery-limit': definition.deliveryLimit,
      'x-dead-letter-exchange': names.dead,
      'x-dead-letter-routing-key': definition.queue,
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
  };
}

/** Messages wait here during the back-off, then return to the work queue automatically. */
function retryQueues(names: AmqpNames, definition: MessageDefinition): QueuePlan[] {
  return [...new Set(definition.retrySeconds)].map((seconds) => ({
    name: names.retryQueue(definition, seconds),
    exchange: names.retry,
    key: names.retryKey(definition, seconds),
    arguments: {
      'x-message-ttl': Math.round(seconds * 1000),
      'x-dead-letter-exchange': names.work,
      'x-dead-letter-routing-key': definition.type,
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
  }));
}

/**
 * Declares every exchange and queue. Does nothing when they exist with these properties.
 * @throws OperatorError naming the queue or exchange with other properties.
 */
export async function declareTopology(
  model: ChannelModel,
  names: AmqpNames,
  catalogue: readonly MessageDefinition[],
): Promise<void> {
  const channel = await openChannel(model);
  const exchanges: [string, string][] = [
    [names.work, 'direct'],
    [names.retry, 'direct'],
    [names.dead, 'topic'],
    [names.events, 'topic'],
  ];
  await all(exchanges.map(([name, type]) => channel.assertExchange(name, type, { durable: true })));
  const plans = queuePlans(names, catalogue);
  await all(
    plans.map((plan) =>
      channel.assertQueue(plan.name, { durable: true, arguments: { 'x-queue-type': 'quorum', ...plan.arguments } }),
    ),
  );
  await all(plans.map((plan) => channel.bindQueue(plan.name, plan.exchange, plan.key)));
  await channel.close();
}

/**
 * All requests are sent concurrently. When the broker refuses one, it closes the channel, and only that one has the
 * reason.
 */
async function all(requests: Promise<unknown>[]): Promise<void> {
  const failures = (await Promise.allSettled(requests)).flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  const first = failures[0];
  if (first === undefined) return;
  const mismatch = failures.find((failure) => messageOf(failure).includes('PRECONDITION_FAILED'));
  if (mismatch === undefined) throw first;
  const [, thing] = /for ((?:queue|exchange) '[^']+')/.exec(messageOf(mismatch)) ?? [];
  throw new OperatorError(
    `RabbitMQ has ${thing ?? 'a queue'} with other properties than Vigil needs. Delete it when it is empty, or set ` +
      `another prefix. RabbitMQ says: ${messageOf(mismatch)}`,
    { cause: mismatch },
  );
}
