import { describe, expect, it } from 'vitest';
import { InvalidInputError, NotFoundError, OperatorError, StateConflictError } from '#libs/domain';
import { type Decision, deliver, retryDelaySeconds, runHandler } from './delivery.ts';
import type { Envelope, MessageDefinition, Verdict } from './index.ts';
import { createMessageChecker } from './validate.ts';

const definition: MessageDefinition = {
  type: 'task.run',
  version: 1,
  queue: 'worker.task.run',
  deliveryLimit: 3,
  retrySeconds: [5, 30],
  schema: { type: 'object', required: ['number'], properties: { number: { type: 'integer' } } },
  description: 'A task.',
};
const now = Date.parse('2026-01-01T00:10:00Z');
const rules = { checker: createMessageChecker([definition]), clock: { now: () => now }, newerVersionMs: 900_000 };

function envelope(changes: Partial<Envelope> = {}): Envelope {
  const base = { messageId: 'm', type: 'task.run', body: { number: 1 }, attempt: 0, timestamp: '2026-01-01T00:00:00Z' };
  return { ...base, ...changes };
}

const ack: Verdict = { kind: 'ack' };
const retry: Verdict = { kind: 'retry', reason: 'busy' };

describe('the meaning of a thrown error', () => {
  it.each([
    ['an unknown error', new Error('boom'), { kind: 'retry', reason: 'boom' }],
    ['no error at all', 'text', { kind: 'retry', reason: 'text' }],
    ['a conflict', new StateConflictError('plan', 'u', 'ONGOING', 'start'), { kind: 'retry' }],
    ['a permanent one', new OperatorError('no such plugin'), { kind: 'dead', reason: 'no such plugin' }],
    ['invalid input', new InvalidInputError('plan', 'is empty'), { kind: 'dead', reason: 'plan: is empty' }],
    ['a missing entity', new NotFoundError('plan', 'u'), { kind: 'dead' }],
  ])('%s', async (_, error, verdict) => {
    const throwing = async () => {
      throw error;
    };
    expect(await runHandler(throwing, envelope())).toMatchObject(verdict);
  });
});

describe('a delivery', () => {
  it.each<[string, Partial<Envelope>, Verdict, Decision, boolean]>([
    ['passes the verdict on', {}, ack, ack, true],
    ['allows a retry below the limit', { attempt: 1 }, retry, retry, true],
    [
      'turns the last retry into a dead letter',
      { attempt: 2 },
      retry,
      { kind: 'dead', reason: 'delivery limit 3 reached: busy' },
      true,
    ],
    [
      'does not call the handler beyond the limit',
      { attempt: 3 },
      ack,
      { kind: 'dead', reason: 'delivery limit 3 reached: its consumers ended without a verdict' },
      false,
    ],
    [
      'does not call the handler with an invalid body',
      { body: {} },
      ack,
      { kind: 'dead', reason: "the body is not valid: body must have required property 'number'" },
      false,
    ],
    [
      'does not call the handler with another type',
      { type: 'task.stop' },
      ack,
      { kind: 'dead', reason: 'a message of type task.stop was found in the queue of task.run' },
      false,
    ],
    [
      'leaves a newer version to others for a while',
      { body: { schema: 'task.run/2' } },
      ack,
      { kind: 'leave', reason: 'schema task.run/2 is newer than version 1, the newest known here' },
      false,
    ],
    [
      'gives a newer version up when it is old',
      { body: { schema: 'task.run/2' }, timestamp: '2025-12-31T23:55:00Z' },
      ack,
      { kind: 'dead', reason: 'schema task.run/2 is newer than version 1, the newest known here' },
      false,
    ],
    [
      'does not call the handler with a time that is none',
      { timestamp: '1767225600000000' },
      ack,
      { kind: 'dead', reason: 'its time of publishing, 1767225600000000, is not a time' },
      false,
    ],
  ])('%s', async (_, changes, said, result, called) => {
    let calls = 0;
    const handler = async () => {
      calls += 1;
      return said;
    };
    expect(await deliver(rules, definition, handler, envelope(changes))).toEqual(result);
    expect(calls).toBe(called ? 1 : 0);
  });
});

describe('the back-off', () => {
  it('goes up and stays at the last step', () => {
    expect([0, 1, 2, 9].map((attempt) => retryDelaySeconds(definition, attempt))).toEqual([5, 30, 30, 30]);
    expect(retryDelaySeconds({ ...definition, retrySeconds: [] }, 0)).toBe(0);
  });
});
