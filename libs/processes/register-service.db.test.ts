import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServiceContext } from '#libs/service-kit';
import type { commonEnv } from '#libs/service-kit/env';
import type { Store } from '#libs/store';
import { createTestContext, useStore } from '#tests';
import { type Registration, registerService } from './register-service.ts';

let url: string;
let store: Store;
let context: ServiceContext<typeof commonEnv>;
let registration: Registration;

const line = {
  respond: async () => ({ stop: async () => undefined }),
  broadcast: async () => undefined,
};

beforeEach(async () => {
  ({ store, url } = await useStore());
  context = createTestContext('scheduler', {}, {}) as ServiceContext<typeof commonEnv>;
  registration = await registerService(context, { type: 'scheduler', store, databaseUrl: url });
});
afterEach(async () => {
  await context.teardown.run();
});

const state = async () => (await store.db.registry.findInstance(context.instanceId))?.state;
const lose = () => store.db.registry.transition(context.instanceId, 'lose', { reason: 'its lease has expired' });

it('a process that was declared lost during its start rejoins as STARTING, then starts', async () => {
  await lose();
  await expect.poll(state, { timeout: 60_000, interval: 200 }).not.toBe('LOST');
  expect(await state()).toBe('STARTING');
  await registration.started(line);
  expect(await state()).toBe('STARTED');
  expect(await store.db.registry.countStarts(registration.serviceName, context.hostId, 600)).toBe(1);
});

it('a process that is still declared lost when all its parts run is STARTED', async () => {
  await lose();
  await registration.started(line);
  expect(await state()).toBe('STARTED');
});

it('a started process that was declared lost returns as STARTED', async () => {
  await registration.started(line);
  await lose();
  await expect.poll(state, { timeout: 60_000, interval: 200 }).toBe('STARTED');
});
