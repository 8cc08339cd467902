// @needs build
import { beforeEach, expect, test } from 'vitest';
import type { RefusalReason } from '#libs/domain';
import { isRefusal } from '#libs/messaging';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { createSemaphore } from '#libs/service-kit';
import type { AuditView } from '#libs/store';
import { insertActionPlan } from '#tests';
import { touchedHosts } from '../audit-runner/hosts-of-plan.ts';
import { type TestEngines, useTestEngines } from '../testing/test-engines.ts';
import { previewAudit } from './preview-audit.ts';

const rests = { coolDownMs: 3_600_000, backOffMs: 3_600_000, refusalRestMs: 24 * 3_600_000 };
const engines = await useTestEngines();
const store = engines.store;
beforeEach(() => {
  engines.reset();
  Object.assign(engines.world, unevenWorld());
});

/** Twelve hosts of which three are hot. Some instances have dedicated CPUs. */
function unevenWorld(): TestEngines['world'] {
  const hosts = Array.from({ length: 12 }, (_, index) => ({
    hostname: `host-${index}`,
    vcpus: 32,
    memory: 131_072,
    disk: 2000,
    dedicatedCpus: 16,
  }));
  const instances = Array.from({ length: 36 }, (_, index) => ({
    name: `vm-${index}`,
    host: `host-${index % 3}`,
    vcpus: 1 + (index % 3),
    memory: 2048,
    disk: 10,
    ...(index % 4 === 0 ? { flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } } : {}),
  }));
  const snapshot = createTestWorld({ hosts, instances, takenAtMs: Date.now() });
  const hostLoads = hosts.map(({ hostname }, index): [string, number] => [hostname, index < 3 ? 70 : 2]);
  const loads = new Map([...hostLoads, ...snapshot.instanceInfo.map(({ uuid }) => [uuid, 80] as const)]);
  return { snapshot, loads };
}

async function previewOf({ goalName: goal, strategyName: strategy, parameters, auditType }: AuditView) {
  const deps = {
    ...engines.planDeps(),
    store,
    ...rests,
    slots: createSemaphore(1),
    signal: new AbortController().signal,
  };
  const response = await previewAudit({ goal, strategy, parameters, scope: [], audit_type: auditType }, deps);
  if (isRefusal(response)) throw new Error(response.error.message);
  return response;
}

async function runOf(audit: AuditView) {
  const { runner, lease } = engines.start(rests);
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  await engines.ended(audit.uuid);
  await engines.stopRunners();
  const [plan] = await store.db.actionPlans.list({
    filters: [{ field: 'auditUuid', value: audit.uuid }],
    sortKey: 'id',
    sortDir: 'desc',
  });
  if (!plan) throw new Error((await store.db.audits.get(audit.uuid)).statusMessage ?? 'no plan');
  return {
    hosts: await store.db.planHosts.find(plan.id),
    actions: await store.db.actions.listByPlan(plan.uuid),
  };
}

interface Move {
  destination?: string;
  refusal?: RefusalReason | null;
  minutesAgo?: number;
}

/** A migration of the instance that has just ended in some other plan. */
async function justMoved(
  name: string,
  event: 'succeed' | 'fail' = 'succeed',
  { destination = 'y', refusal = null, minutesAgo = 0 }: Move = {},
): Promise<void> {
  const strategy = await store.db.strategies.get('workload_stabilization');
  const plan = await insertActionPlan(store.db, await engines.newAudit(strategy.name), strategy, () => ({
    state: 'ONGOING',
  }));
  const { uuid } = await store.db.actions.insert({
    uuid: crypto.randomUUID(),
    actionPlanId: plan.id,
    actionType: 'migrate',
    inputParameters: {
      migration_type: 'live',
      resource_id: testUuid(name),
      source_node: 'x',
      destination_node: destination,
    },
  });
  await store.db.actions.transition(uuid, 'begin');
  const endedAt = new Date((await store.db.now()).getTime() - minutesAgo * 60_000);
  await store.db.actions.transition(uuid, event, { set: { endedAt, refusal } });
  await store.db.actionPlans.transition(plan.uuid, 'succeed');
}

const inputs = (actions: readonly { input_parameters?: unknown; inputParameters?: unknown }[]) =>
  actions.map((action) => action.input_parameters ?? action.inputParameters);

test.each(['ONESHOT', 'EVENT'] as const)(
  'a preview of an audit of type %s equals the plan of its run',
  async (auditType) => {
    const moved = ['vm-0', 'vm-1', 'vm-2', 'vm-5'];
    for (const name of moved) await justMoved(name);
    // The picture is from before the last change: both have to request another.
    engines.world.snapshot = { ...engines.world.snapshot, takenAtMs: Date.now() };
    const rule = { description: null, maxPerHost: null, hosts: null, isStrict: true };
    for (const [name, enabled] of [
      ['vm-3', true],
      ['vm-4', false],
    ] as const)
      await store.db.placementRules.insert({
        uuid: crypto.randomUUID(),
        name: `${auditType} ${name}`,
        kind: 'leave_alone',
        instances: { names: [name] },
        ...rule,
        enabled,
      });
    const audit = await engines.newAudit('workload_stabilization', {
      auditType,
      parameters: { retry_count: 2, host_choice: 'retry' },
    });

    const preview = await previewOf(audit);
    const run = await runOf(audit);

    expect(preview.actions.length).toBeGreaterThan(3);
    expect(inputs(preview.actions)).toEqual(inputs(run.actions));
    const shown = touchedHosts({ modelTakenAt: '', hosts: preview.hosts, unplaced: preview.unplaced, moved: {} });
    expect(run.hosts?.hosts).toEqual(shown.hosts);
    expect(run.hosts?.modelTakenAt).toBe(preview.model_taken_at);
    const touched = preview.actions.map(({ input_parameters: { resource_id: id } }) => id);
    expect(touched).not.toContain(testUuid('vm-3'));
    expect(preview.report.blocked).toContainEqual(
      expect.objectContaining({ constraint: 'rule-leave-alone', count: 1 }),
    );
    if (auditType === 'EVENT') expect(moved.map(testUuid).filter((uuid) => touched.includes(uuid))).toEqual([]);
  },
);

test('a ONESHOT audit and its preview exclude instances that another plan failed to move, and report that', async () => {
  const planned = () => engines.newAudit('workload_stabilization', { auditType: 'ONESHOT' });
  const free = await previewOf(await planned());
  const [first] = free.actions.map(({ input_parameters: { resource_name: name } }) => String(name));
  await justMoved(first as string, 'fail');
  await justMoved(first as string, 'fail');
  engines.world.snapshot = { ...engines.world.snapshot, takenAtMs: Date.now() };

  const audit = await planned();
  const preview = await previewOf(audit);
  const run = await runOf(audit);

  expect(inputs(preview.actions)).toEqual(inputs(run.actions));
  expect(run.actions.length).toBeGreaterThan(0);
  expect(run.actions.map(({ inputParameters: { resource_name: name } }) => name)).not.toContain(first);
  const { report } = await store.db.audits.get(audit.uuid);
  expect(report?.blocked).toContainEqual({ constraint: 'migration-failed', count: 1, examples: [first] });
  expect(report?.notes.join('\n')).toContain(`1 instance is left alone after failed migrations: ${first} (2 failures`);
});

test('an audit and its preview leave out a destination that Nova refused after the back-off of the instance', async () => {
  const planned = () => engines.newAudit('workload_stabilization', { auditType: 'ONESHOT' });
  const free = await previewOf(await planned());
  const [first] = free.actions.map(({ input_parameters: input }) => input);
  const [name, to] = [String(first?.resource_name), String(first?.destination_node)];
  await justMoved(name, 'fail', { destination: to, refusal: 'no_valid_host', minutesAgo: 90 });
  engines.world.snapshot = { ...engines.world.snapshot, takenAtMs: Date.now() };

  const audit = await planned();
  const preview = await previewOf(audit);
  const run = await runOf(audit);

  expect(inputs(preview.actions)).toEqual(inputs(run.actions));
  const moves = run.actions.map(({ inputParameters: input }) => `${input.resource_name} ${input.destination_node}`);
  expect(moves.length).toBeGreaterThan(0);
  expect(moves).not.toContain(`${name} ${to}`);
  const { report } = await store.db.audits.get(audit.uuid);
  expect(report?.notes.join('\n')).toContain(`${name} to ${to} (no valid host was found, until `);
  expect(report?.blocked).toContainEqual({ constraint: 'destination-refused', count: 1, examples: [name] });
});

test('without the server groups nothing is moved, and the report says why', async () => {
  engines.world.snapshot = { ...engines.world.snapshot, groupsUnknown: true, takenAtMs: Date.now() };
  const audit = await engines.newAudit('workload_stabilization', { auditType: 'ONESHOT' });
  const { actions } = await runOf(audit);
  expect(actions).toEqual([]);
  const { report } = await store.db.audits.get(audit.uuid);
  expect(report?.notes).toContain('no instance is moved (36 instances): the server groups of Nova could not be listed');
});
