import { afterEach, expect, it } from 'vitest';
import type { AuditReport, JsonObject } from '#libs/domain';
import type { AuditView } from '#libs/store';
import { insertAudit, insertGoal, insertStrategy } from '#tests';
import type { NotificationSink } from './notification.ts';
import { type NotifierFixture, useNotifierFixture } from './testing/notifier-fixture.ts';

let store: NotifierFixture['store'];
let received: NotifierFixture['received'];

const fixture = await useNotifierFixture();
({ store, received } = fixture);
afterEach(() => fixture.reset());

const report: AuditReport = {
  strategy: 'dummy',
  hosts: { considered: 0, eligible: 0 },
  instances: { considered: 0, eligible: 0 },
  blocked: [],
  metrics: [],
  modelAgeSeconds: 1,
  modelComplete: true,
  emptyBecause: null,
  notes: [],
  timingsMs: {},
};

function dataOf(payload: unknown): Record<string, unknown> {
  return (payload as JsonObject)['watcher_object.data'] as Record<string, unknown>;
}

function classOf(payload: unknown): string {
  const { 'watcher_object.name': name, 'watcher_object.version': version } = payload as JsonObject;
  return `${name} ${version}`;
}

it('a failed action is published like in Watcher, envelope and payload to the key', async () => {
  const { plan, action } = await fixture.world();
  await fixture.start();
  const message = 'Action failed in execute: password=hunter2 refused';
  await store.db.actions.transition(action.uuid, 'begin');
  await store.db.actions.transition(action.uuid, 'fail', { set: { statusMessage: message } });
  await fixture.seen(4);
  expect(fixture.types()).toEqual([
    'action.update',
    'action.execution.start',
    'action.update',
    'action.execution.error',
  ]);
  expect(received.map(({ routingKey }) => routingKey)).toEqual([
    'notifications.info',
    'notifications.info',
    'notifications.info',
    'notifications.error',
  ]);
  const [update, begin, , failed] = received;
  if (!update || !begin || !failed) throw new Error('nothing was received');
  expect(update.contentType).toBe('application/json');
  expect(Object.keys(update.envelope).sort()).toEqual(['oslo.message', 'oslo.version']);
  expect(update.envelope['oslo.version']).toBe('2.0');
  expect(Object.keys(update.message).sort()).toEqual([
    '_context_project_id',
    '_context_request_id',
    '_context_user_id',
    '_unique_id',
    'event_type',
    'message_id',
    'payload',
    'priority',
    'publisher_id',
    'timestamp',
  ]);
  expect(update.message).toMatchObject({
    message_id: update.messageId,
    publisher_id: 'infra-optim:controller-1',
    priority: 'INFO',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/),
  });
  expect(classOf(update.message.payload)).toBe('ActionUpdatePayload 1.1');
  expect(Object.keys(dataOf(update.message.payload)).sort()).toEqual([
    'action_plan',
    'action_plan_uuid',
    'action_type',
    'created_at',
    'deleted_at',
    'input_parameters',
    'parents',
    'state',
    'state_update',
    'status_message',
    'updated_at',
    'uuid',
  ]);
  expect(dataOf(dataOf(update.message.payload).state_update)).toEqual({
    old_state: 'PENDING',
    state: 'ONGOING',
    status_message: null,
  });
  expect(Object.keys(dataOf(dataOf(update.message.payload).action_plan)).sort()).toEqual([
    'audit_uuid',
    'created_at',
    'deleted_at',
    'global_efficacy',
    'state',
    'status_message',
    'strategy_uuid',
    'updated_at',
    'uuid',
  ]);
  expect(classOf(begin.message.payload)).toBe('ActionExecutionPayload 1.1');
  expect(dataOf(begin.message.payload)).toMatchObject({ state: 'PENDING', fault: null });
  expect(dataOf(failed.message.payload)).toMatchObject({ uuid: action.uuid, state: 'FAILED', deleted_at: null });
  expect(dataOf(failed.message.payload).updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(classOf(dataOf(failed.message.payload).fault)).toBe('ExceptionPayload 1.0');
  expect(dataOf(dataOf(failed.message.payload).fault)).toEqual({
    module_name: 'vigil',
    function_name: 'execution',
    exception: 'ActionExecutionFailure',
    exception_message: 'Action failed in execute: password=*** refused',
  });
  expect(dataOf(dataOf(failed.message.payload).action_plan).uuid).toBe(plan.uuid);
});

it('audits and plans are published with their related objects', async () => {
  await fixture.start();
  const { goal, strategy, audit, plan } = await fixture.world();
  const lease = { instance: 'i', host: 'h', ttlMs: 600_000 };
  await store.db.actionPlans.claim(plan.uuid, lease);
  await store.db.actionPlans.transition(plan.uuid, 'requestCancel');
  await store.db.actionPlans.transition(plan.uuid, 'finishCancel');
  await store.db.audits.claim(audit.uuid, lease);
  await store.db.audits.transition(audit.uuid, 'succeed');
  await store.db.audits.softDelete(audit.uuid);
  await fixture.seen(17);
  expect(fixture.types()).toEqual([
    'audit.create',
    'action_plan.create',
    'action.create',
    'action_plan.update',
    'action_plan.execution.start',
    'action_plan.update',
    'action_plan.cancel.start',
    'action_plan.update',
    'action_plan.cancel.end',
    'audit.update',
    'audit.strategy.start',
    'audit.update',
    'audit.strategy.end',
    'audit.planner.start',
    'audit.planner.end',
    'audit.update',
    'audit.delete',
  ]);
  const payloads = received.map(({ message }) => message.payload);
  expect(payloads.map(classOf).slice(0, 7)).toEqual([
    'AuditCreatePayload 1.2',
    'ActionPlanCreatePayload 1.2',
    'ActionCreatePayload 1.1',
    'ActionPlanUpdatePayload 1.2',
    'ActionPlanActionPayload 1.2',
    'ActionPlanUpdatePayload 1.2',
    'ActionPlanCancelPayload 1.2',
  ]);
  const [created, planCreated] = payloads.map(dataOf);
  expect(Object.keys(created ?? {}).sort()).toEqual([
    'audit_type',
    'auto_trigger',
    'created_at',
    'deleted_at',
    'goal',
    'goal_uuid',
    'interval',
    'name',
    'next_run_time',
    'parameters',
    'scope',
    'state',
    'status_message',
    'strategy',
    'strategy_uuid',
    'updated_at',
    'uuid',
  ]);
  expect(created?.parameters).toEqual({ threshold: 1, admin_password: '***' });
  expect(classOf(created?.goal)).toBe('GoalPayload 1.0');
  expect(dataOf(created?.goal)).toEqual({
    uuid: goal.uuid,
    name: goal.name,
    display_name: 'Goal',
    efficacy_specification: [],
    created_at: expect.any(String),
    updated_at: null,
    deleted_at: null,
  });
  expect(classOf(created?.strategy)).toBe('StrategyPayload 1.0');
  expect(Object.keys(dataOf(created?.strategy)).sort()).toEqual([
    'created_at',
    'deleted_at',
    'display_name',
    'name',
    'parameters_spec',
    'updated_at',
    'uuid',
  ]);
  expect(classOf(planCreated?.audit)).toBe('TerseAuditPayload 1.3');
  expect(dataOf(planCreated?.strategy).uuid).toBe(strategy.uuid);
  const claimed = dataOf(payloads[3]);
  expect(dataOf(claimed.state_update)).toEqual({ old_state: 'PENDING', state: 'ONGOING', status_message: null });
  expect(dataOf(payloads[15])).toMatchObject({ state: 'DELETED' });
});

it('each run of a CONTINUOUS audit is published, although the audit stays ONGOING', async () => {
  const strategy = await insertStrategy(store.db, await insertGoal(store.db));
  const { uuid } = await insertAudit(store.db, strategy, () => ({ auditType: 'CONTINUOUS', interval: '60' }));
  const lease = { instance: 'i', host: 'h', ttlMs: 600_000 };
  let runs = 0;
  const wait = (set: Partial<AuditView>) => {
    runs += 1;
    const lastRunAt = new Date(runs);
    return store.db.audits.transition(uuid, 'wait', { set: { nextRunTime: new Date(0), lastRunAt, ...set } });
  };
  await fixture.start();
  await store.db.audits.claim(uuid, lease);
  await wait({ report });
  await store.db.audits.update(uuid, { interval: '90' });
  await store.db.audits.takeOver(uuid, lease);
  await wait({ failedRuns: 1, statusMessage: 'no metrics' });
  await store.db.audits.takeOver(uuid, lease);
  await wait({ failedRuns: 2, statusMessage: 'no order', report: { ...report, failedIn: 'planner' } });
  // A run that succeeds may have the very report of the run before.
  await store.db.audits.takeOver(uuid, lease);
  await wait({ failedRuns: 0, statusMessage: null });
  await fixture.seen(23);
  expect(fixture.types()).toEqual([
    ...['audit.update', 'audit.strategy.start'],
    ...['audit.update', 'audit.strategy.end', 'audit.planner.start', 'audit.planner.end'],
    'audit.update',
    ...['audit.update', 'audit.strategy.start'],
    ...['audit.update', 'audit.strategy.error'],
    ...['audit.update', 'audit.strategy.start'],
    ...['audit.update', 'audit.strategy.end', 'audit.planner.start', 'audit.planner.error'],
    ...['audit.update', 'audit.strategy.start'],
    ...['audit.update', 'audit.strategy.end', 'audit.planner.start', 'audit.planner.end'],
  ]);
  const faults = [10, 16].map((index) => dataOf(dataOf(received[index]?.message.payload).fault));
  expect(faults).toMatchObject([
    { function_name: 'strategy', exception_message: 'no metrics' },
    { function_name: 'planner', exception_message: 'no order' },
  ]);
});

it('only notifications of the configured level are sent', async () => {
  const { action } = await fixture.world();
  await fixture.start({ level: 'error' });
  await store.db.actions.transition(action.uuid, 'fail', { set: { statusMessage: 'no' } });
  await fixture.seen(1);
  expect(fixture.types()).toEqual(['action.execution.error']);
});

it('nothing is lost when the broker takes nothing for a while or a notifier is replaced, and repeats are recognized', async () => {
  const { action } = await fixture.world();
  let isAway = true;
  const attempts: string[] = [];
  const flaky: NotificationSink = {
    async send(message) {
      attempts.push(message.messageId);
      return isAway ? 'away' : fixture.sink.send(message);
    },
  };
  const first = await fixture.start({ sink: flaky });
  await store.db.actions.transition(action.uuid, 'begin');
  await expect.poll(() => attempts.length).toBeGreaterThan(3);
  expect(new Set(attempts).size).toBe(2);
  await first.stop();
  await store.db.actions.transition(action.uuid, 'succeed');
  isAway = false;
  fixture.resume();
  await fixture.seen(4);
  expect(fixture.types()).toEqual(['action.update', 'action.execution.start', 'action.update', 'action.execution.end']);
  expect(attempts).toContain(received[0]?.messageId);
});

it('of two notifiers one works', async () => {
  const { action } = await fixture.world();
  await fixture.start({ instance: 'one' });
  fixture.resume({ instance: 'two' });
  await store.db.actions.transition(action.uuid, 'begin');
  await fixture.seen(2);
  await store.db.actions.transition(action.uuid, 'succeed');
  await fixture.seen(4);
  expect(fixture.types()).toEqual(['action.update', 'action.execution.start', 'action.update', 'action.execution.end']);
});
