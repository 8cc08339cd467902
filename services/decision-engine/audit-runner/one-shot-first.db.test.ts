// @needs build
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { type Logger, silentLogger } from '#libs/domain';
import type { AuditView } from '#libs/store';
import { useTestEngines } from '../testing/test-engines.ts';
import { createAuditTriggerHandler } from './audit-trigger-handler.ts';

const engines = await useTestEngines();
const { store } = engines;
let started: string[] = [];
let release: () => void = () => undefined;
afterEach(async () => {
  release();
  await engines.stopRunners();
});

/** Notes the audits in the order in which they run. */
const noting: Logger = {
  ...silentLogger,
  child: (fields: { audit?: string }) => ({
    ...silentLogger,
    info: (_fields: unknown, text: string) => {
      if (text === 'audit started') started.push(String(fields.audit));
    },
  }),
} as Logger;

/** An engine with two workers, whose audits wait for the model of the cloud until `release` is called. */
function startHeldEngine() {
  started = [];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const collect = async () => {
    await held;
    return engines.world.snapshot;
  };
  const { runner, lease } = engines.start({ collect, logger: noting });
  const handle = createAuditTriggerHandler({ store, runner, lease, logger: silentLogger });
  return {
    runner,
    lease,
    trigger: ({ uuid }: AuditView) =>
      handle({
        messageId: randomUUID(),
        type: 'audit.trigger',
        body: { schema: 'audit.trigger/1', audit_uuid: uuid, reason: 'created' },
        attempt: 0,
        timestamp: new Date().toISOString(),
      }),
  };
}

const continuous = () => engines.newAudit('dummy', { auditType: 'CONTINUOUS', interval: '3600' });

test('a ONESHOT audit runs before repeating audits whose messages arrived earlier', async () => {
  const { trigger } = startHeldEngine();
  const repeating = await Promise.all(Array.from({ length: 6 }, continuous));
  const handled = repeating.map(trigger);
  await expect.poll(() => started.length).toBe(2);
  const oneShot = await engines.newAudit('dummy');
  const last = trigger(oneShot);
  release();
  await Promise.all([...handled, last]);
  await expect.poll(() => started.length).toBe(7);
  expect(started.indexOf(oneShot.uuid)).toBe(2);
  expect(new Set(started).size).toBe(7);
});

test('a ONESHOT audit runs before repeating audits while its message waits in the queue', async () => {
  const { trigger } = startHeldEngine();
  const repeating = await Promise.all(Array.from({ length: 4 }, continuous));
  const handled = repeating.map(trigger);
  await expect.poll(() => started.length).toBe(2);
  const oneShot = await engines.newAudit('dummy');
  release();
  await Promise.all(handled);
  expect((await engines.ended(oneShot.uuid)).state).toBe('SUCCEEDED');
  expect(started.indexOf(oneShot.uuid)).toBe(2);
  expect(await trigger(oneShot)).toEqual({ kind: 'ack' });
  expect(started.filter((uuid) => uuid === oneShot.uuid)).toHaveLength(1);
});

test('ONESHOT audits are listed before repeating ones that wait longer', async () => {
  const repeating = await continuous();
  const oneShot = await engines.newAudit('dummy');
  const listed = (await store.db.audits.findClaimable({ pendingMs: 0, limit: 1000 })).map(({ uuid }) => uuid);
  expect(listed.indexOf(oneShot.uuid)).toBeGreaterThanOrEqual(0);
  expect(listed.indexOf(repeating.uuid)).toBeGreaterThan(listed.indexOf(oneShot.uuid));
});
