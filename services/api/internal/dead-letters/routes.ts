import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type Clock, messageOf, NotFoundError } from '#libs/domain';
import type { DeadLetter, DeadLetters } from '#libs/messaging';
import { type Metrics, startPeriodic } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { limitArgument, queryArguments } from '../../collections/query-arguments.ts';
import { ApiFault, conflict } from '../../http/faults/fault.ts';
import { component, nullableText, strict } from '../../openapi/shared-schemas.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';

/**
 * Counts the dead letters of the bus for the metric. Together with failed background tasks, the count is also written
 * to the change stream when it has changed.
 */
interface DeadLetterCount {
  /** @throws BusUnavailableError, StoreUnavailableError */
  measure(): Promise<void>;
}

/** Components of the routes of dead letters. */
const deadLetterSchemas = [
  Type.Object(
    {
      id: Type.String({ description: 'Identifier, valid until the message is redriven or discarded.' }),
      message_id: Type.String(),
      type: Type.String({ description: 'Type of the message, such as `plan.launch`.' }),
      queue: Type.String({ description: 'Queue of the failed delivery.' }),
      reason: Type.String({ description: 'Reason of the failure.' }),
      attempt: Type.Integer({ description: 'Deliveries before the last one.' }),
      published_at: Type.String(),
      dead_at: Type.String(),
      correlation_id: nullableText('Id of the causing request.'),
      body: Type.Object(
        {},
        { additionalProperties: true, description: 'Body with ids only; empty if it was not JSON.' },
      ),
    },
    { $id: 'DeadLetter', ...strict },
  ),
  Type.Object(
    {
      dead_letters: Type.Array(component('DeadLetter'), {
        description: 'The oldest 1000 dead letters, newest first.',
      }),
      count: Type.Integer({ description: 'Number of all dead letters.' }),
    },
    { $id: 'DeadLetterList', ...strict },
  ),
];

const tag = 'dead-letters';
const defaultLimit = 100;
const countMs = 5_000;
const params = { letter: 'Id of the message.' };
type WithLetter = { Params: { letter: string } };

/** Dead letters of the bus: reading them, and replaying or discarding one. */
export function registerDeadLetterRoutes(app: FastifyInstance, deps: InternalDeps): void {
  for (const schema of deadLetterSchemas) app.addSchema(schema);
  const letters = () => {
    if (!deps.deadLetters) throw new ApiFault(503, 'No message bus is configured');
    return deps.deadLetters;
  };
  registerList(app, deps, letters);
  registerChanges(app, letters, startCounting(app, deps));
}

/** Counts periodically until the application closes. Returns a function that counts immediately. */
function startCounting(app: FastifyInstance, deps: InternalDeps): () => Promise<void> {
  const { deadLetters, logger } = deps;
  if (!deadLetters) return async () => undefined;
  const count = createDeadLetterCount({ ...deps, letters: deadLetters });
  // Other checks report an unavailable broker or database.
  const measure = () =>
    count.measure().catch((error: unknown) => {
      logger.debug({ reason: messageOf(error) }, 'cannot count dead letters');
    });
  const counting = startPeriodic({ name: 'dead letters', everyMs: countMs, logger, run: measure });
  app.addHook('preClose', counting.stop);
  return measure;
}

function registerList(app: FastifyInstance, { maxLimit }: InternalDeps, letters: () => DeadLetters): void {
  const schema = describeInternal({
    tag,
    operationId: 'list_dead_letters',
    summary: 'Dead letters, newest first',
    query: {
      limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of entries; default 100.' })),
    },
    response: 'DeadLetterList',
  });
  app.get('/dead-letters', { schema }, async (request) => {
    const limit = limitArgument(queryArguments(request, ['limit']), defaultLimit, maxLimit);
    const found = await letters().deadLetters(limit);
    return { dead_letters: found.map(letterBody), count: await letters().deadLetterCount() };
  });
}

function registerChanges(app: FastifyInstance, letters: () => DeadLetters, changed: () => Promise<void>): void {
  const redrive = describeInternal({
    tag,
    operationId: 'redrive_dead_letter',
    summary: 'Sends a dead letter to its queue again',
    params,
    status: 204,
    refusals: [404, 409],
  });
  app.post<WithLetter>('/dead-letters/:letter/redrive', { schema: redrive }, async (request, reply) => {
    queryArguments(request);
    const { letter } = request.params;
    const result = await letters().redriveDeadLetter(letter);
    if (result === false) throw new NotFoundError('Dead letter', letter);
    if (result !== true) throw conflict(`The message would fail again: ${result.refused}`);
    await changed();
    return reply.code(204).send();
  });

  const discard = describeInternal({
    tag,
    operationId: 'discard_dead_letter',
    summary: 'Discards a dead letter',
    params,
    status: 204,
    refusals: [404],
  });
  app.delete<WithLetter>('/dead-letters/:letter', { schema: discard }, async (request, reply) => {
    queryArguments(request);
    const { letter } = request.params;
    if (!(await letters().discardDeadLetter(letter))) throw new NotFoundError('Dead letter', letter);
    await changed();
    return reply.code(204).send();
  });
}

function letterBody({ id, envelope, queue, reason, at }: DeadLetter) {
  return {
    id,
    message_id: envelope.messageId,
    type: envelope.type,
    queue,
    reason,
    attempt: envelope.attempt,
    published_at: envelope.timestamp,
    dead_at: at,
    correlation_id: envelope.correlationId ?? null,
    body: envelope.body,
  };
}

/** Makes the count. Processes that see the same numbers report them only once. */
export function createDeadLetterCount(deps: {
  letters: Pick<DeadLetters, 'deadLetterCount'>;
  store: Store;
  metrics: Metrics;
  clock: Clock;
}): DeadLetterCount {
  const gauge = deps.metrics.gauge('vigil_bus_dead_letters', 'Messages that were given up and wait for an operator');
  let reported: string | null = null;
  return {
    async measure() {
      const count = await deps.letters.deadLetterCount();
      gauge.set(count);
      const tasks = (await deps.store.db.tasks.counts()).filter(({ state }) => state === 'FAILED');
      const numbers = { count, failed_tasks: tasks.reduce((sum, ofQueue) => sum + ofQueue.count, 0) };
      const text = JSON.stringify(numbers);
      if (text === reported) return;
      const doc = { ...numbers, changed_at: new Date(deps.clock.now()).toISOString() };
      await deps.store.db.publishedStates.publish({ kind: 'dead_letters', name: 'bus', doc });
      reported = text;
    },
  };
}
