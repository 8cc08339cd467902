// @needs build
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { auditPreview, type Consumer, callRpc, isRefusal, type MessageBus } from '#libs/messaging';
import { createMessageBus } from '#libs/messaging/connect';
import { createMetrics, createSemaphore } from '#libs/service-kit';
import { useTestEngines } from '../testing/test-engines.ts';
import { serveRequests } from './serve-requests.ts';

const engines = await useTestEngines();
const { registry, store } = engines;
const endless = engines.withFixture('strategy', 'never_ends');

/** The strategy workload_stabilization never ends. */
const deps = () => ({
  ...engines.planDeps({
    source: (kind, name) =>
      name === 'workload_stabilization' && endless ? endless(kind, name) : registry.source(kind, name),
  }),
  store,
  models: { compute: async () => undefined, storage: async () => undefined, baremetal: async () => undefined },
  modelMaxAgeMs: 0,
  slots: createSemaphore(1),
  cloud: {
    compute: { listFlavors: async () => [], listMigrationsSince: async () => [] },
    placement: { getTraits: async () => [] },
  },
});

const request = (goal: string, strategy: string) => ({ goal, strategy, parameters: {}, scope: [] });
const endlessRequest = request('workload_balancing', 'workload_stabilization');
const quickRequest = request('dummy', 'dummy');

describe.each(['RabbitMQ', 'PostgreSQL'])('abandoned requests over %s', (kind) => {
  let requesting: MessageBus;
  let answering: MessageBus;
  let responder: Consumer;
  const { slots, ...others } = deps();

  beforeAll(async () => {
    const prefix = `test-${randomUUID().slice(0, 8)}`;
    const createBus = () =>
      createMessageBus({
        amqpUrl: kind === 'RabbitMQ' ? process.env.VIGIL_TEST_AMQP_URL : undefined,
        databaseUrl: engines.databaseUrl,
        logger: silentLogger,
        prefix,
        appId: randomUUID(),
        metrics: createMetrics('test'),
      });
    [requesting, answering] = [await createBus(), await createBus()];
    responder = await serveRequests(answering, { ...others, slots });
  });
  afterAll(async () => {
    await responder.stop();
    await requesting.close();
    await answering.close();
  });

  test('a preview whose client leaves frees its slot', async () => {
    const leaving = new AbortController();
    const cancel = { id: randomUUID(), signal: leaving.signal };
    const left = callRpc(requesting, auditPreview, endlessRequest, { cancel }).catch((error: Error) => error.message);
    await expect.poll(() => slots.busy).toBe(1);
    leaving.abort(new Error('the client left'));
    expect(await left).toBe('the client left');
    await expect.poll(() => slots.busy).toBe(0);
    expect(isRefusal(await callRpc(requesting, auditPreview, quickRequest))).toBe(false);
  });

  test('a preview whose client leaves while it waits is never computed', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const running = callRpc(requesting, auditPreview, endlessRequest, {
      cancel: { id: randomUUID(), signal: first.signal },
    });
    await expect.poll(() => slots.busy).toBe(1);
    const waiting = callRpc(requesting, auditPreview, endlessRequest, {
      cancel: { id: randomUUID(), signal: second.signal },
    });
    const quick = callRpc(requesting, auditPreview, quickRequest);
    second.abort(new Error('second left'));
    await expect(waiting).rejects.toThrow('second left');
    first.abort(new Error('first left'));
    await expect(running).rejects.toThrow('first left');
    expect(isRefusal(await quick)).toBe(false);
    await expect.poll(() => slots.busy).toBe(0);
  });

  test('a preview ends at the time limit of its client', async () => {
    const late = callRpc(requesting, auditPreview, endlessRequest, { timeoutMs: 300 });
    await expect(late).rejects.toMatchObject({ code: 'request_timeout' });
    await expect.poll(() => slots.busy).toBe(0);
  });
});
