import { resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { createProgram } from '../../services/cli/create-program.ts';
import { leavesOf, quietContext } from '../../services/cli/testing/every-command.ts';
import { runVigil } from '../../services/cli/testing/run-vigil.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../otlp-receiver.ts';
import { codeBlocks, commandRows, commandsToRun, documentedPages } from '../tree/documented-commands.ts';
import { expectOneTrace } from './expect-one-trace.ts';
import {
  countMigrations,
  execute,
  letPass,
  runAudit,
  type SimulatorState,
  smallWorld,
  standing,
  wholeHistory,
} from './run-loop.ts';
import { startTestStack, type TestStack, type TestStackOptions } from './test-stack.ts';

let stack: TestStack | undefined;
let collector: OtlpReceiver | undefined;
afterEach(async () => {
  await stack?.stop();
  await collector?.close();
  stack = undefined;
  collector = undefined;
});

async function start(options: TestStackOptions): Promise<TestStack> {
  stack = await startTestStack({ simulator: [...smallWorld, '--speed', '200'], ...options });
  return stack;
}

/** Additions that a later release could make to a table that is written, read and followed. */
const schemaOfTomorrow = `
  ALTER TABLE audits ADD COLUMN of_tomorrow text NOT NULL DEFAULT 'x';
  ALTER TABLE action_plans ADD COLUMN of_tomorrow text;
  ALTER TABLE outbox ADD COLUMN of_tomorrow text;
  INSERT INTO schema_migrations (timestamp, name) VALUES (9999999999999, 'Tomorrow9999999999999')`;

test('a host is emptied for maintenance and its service disabled; a rollback takes all of it back, and so does its return', async () => {
  collector = await startOtlpReceiver();
  const running = await start({ env: { VIGIL_OTLP_URL: collector.url } });
  await running.start(['decision-engine']);
  await running.start(['applier']);
  const { hosts } = await running.control<SimulatorState>('/state');
  const [victim] = hosts.filter(({ servers }) => servers > 1).sort((one, other) => one.servers - other.servers);
  if (!victim) throw new Error('no host has servers');

  const { plan, audit } = await runAudit(running, 'host_maintenance', { maintenance_node: victim.name });
  const { plan: ended, actions } = await execute(running, plan.uuid);

  expect(ended.state).toBe('SUCCEEDED');
  await expectOneTrace(collector, running, { audit: audit.uuid, plan: plan.uuid, actions: actions.length });
  const read = async () => {
    const state = await running.control<{ hosts: { name: string; servers: number; status: string }[] }>('/state');
    return state.hosts.find(({ name }) => name === victim.name);
  };
  expect(await read()).toMatchObject({ servers: 0, status: 'disabled' });

  const { client } = running;
  const path = { params: { path: { ident: plan.uuid } } };
  const preview = await dataOf(client.api.GET('/v1/action_plans/{ident}/rollback', path));
  expect(preview).toMatchObject({ possible: true, verdict: 'best-effort' });
  const rollback = await dataOf(client.api.POST('/v1/action_plans/{ident}/rollback', { ...path, body: {} }));
  const undone = await client.waitForActionPlan(rollback.uuid, { pollMs: 200, timeoutMs: 120_000 });
  expect(undone).toMatchObject({
    state: 'SUCCEEDED',
    status_message: `${preview.actions.length} of ${preview.actions.length} actions of action plan ${plan.uuid} undone`,
  });
  expect(await read()).toMatchObject({ servers: victim.servers, status: 'enabled' });
  const ofRollback = { params: { path: { ident: rollback.uuid } } };
  const { hosts: undoneHosts } = await dataOf(client.api.GET('/v1/action_plans/{ident}/preview', ofRollback));
  expect(undoneHosts.find(({ hostname }) => hostname === victim.name)).toMatchObject({
    before: { instances: 0, enabled: false },
    after: { instances: victim.servers, enabled: true },
    so_far: { instances: victim.servers, enabled: true },
  });

  const again = await runAudit(running, 'rolling_maintenance', { compute_nodes: [victim.name] });
  expect((await execute(running, again.plan.uuid)).plan.state).toBe('SUCCEEDED');
  expect(await read()).toMatchObject({ servers: 0, status: 'disabled' });
  const back = await runAudit(running, 'host_return', { compute_nodes: [victim.name], bring_back: true });
  expect((await execute(running, back.plan.uuid)).plan.state).toBe('SUCCEEDED');
  expect(await read()).toMatchObject({ servers: victim.servers, status: 'enabled' });

  const others = hosts.filter(({ name, servers }) => name !== victim.name && servers > 0);
  const calmest = others.sort((one, other) => one.servers - other.servers);
  await runDocumentedCommands(
    running,
    calmest.map(({ name }) => name),
  );
});

/** Typical input of operators, with hosts and uuids of this cloud. Each executed plan is a separate one. */
async function runDocumentedCommands(running: TestStack, hosts: string[]): Promise<void> {
  const rows = commandRows();
  const commands = documentedPages().flatMap((page) => codeBlocks(page).flatMap((block) => commandsToRun(block, rows)));
  const { OS_AUTH_URL = '' } = running.env;
  const admin = { OS_USERNAME: 'admin', OS_PASSWORD: 'vigil', OS_PROJECT_NAME: 'admin' };
  const env = { VIGIL_API_URL: running.api.url!, OS_AUTH_URL, ...admin };
  const nodes = [...hosts];
  let plan = '';
  for (const words of commands) {
    if (words.includes('<uuid>') && words[1] === 'preview')
      plan = (await runAudit(running, 'host_maintenance', { maintenance_node: nodes.shift() })).plan.uuid;
    const args = words.map((word) =>
      word.replace('<uuid>', plan).replaceAll(/node-(\d)/g, (_, digit: string) => hosts[Number(digit) % 3] ?? ''),
    );
    const run = await runVigil(args, { env });
    expect(run.code, `vigil ${args.join(' ')}\n${run.err}${run.out}`).toBe(0);
  }
  await expectNarrowTables(env);
}

/** Every list and its first entry, at the width of a usual terminal. */
async function expectNarrowTables(env: Record<string, string>): Promise<void> {
  const leaves = leavesOf(createProgram({ ...quietContext, env }));
  const lists = leaves.filter(({ path }) => / list$/.test(path));
  expect(lists.length).toBeGreaterThan(8);
  const shown: string[] = [];
  for (const { path } of lists) {
    const words = path.split(' ');
    const listed = await runVigil([...words, '--json'], { env });
    expect(listed.code, `vigil ${path}\n${listed.err}`).toBe(0);
    const body = JSON.parse(listed.out) as { uuid?: string; name?: string }[] | object;
    const first = Array.isArray(body) ? body[0] : undefined;
    const show = [...words.slice(0, -1), 'show', first?.uuid ?? first?.name ?? ''];
    const hasShow = first !== undefined && leaves.some((leaf) => leaf.path === show.slice(0, -1).join(' '));
    for (const args of hasShow ? [words, show] : [words]) {
      const run = await runVigil(args, { env, columns: 80 });
      expect(run.code, `vigil ${args.join(' ')}\n${run.err}`).toBe(0);
      const wide = run.out.split('\n').filter((line) => line.length > 80);
      expect(wide, `vigil ${args.join(' ')}`).toEqual([]);
      shown.push(args.slice(0, words.length).join(' '));
    }
  }
  expect(shown).toEqual(expect.arrayContaining(['audit show', 'actionplan show', 'action show', 'strategy show']));
}

test('two engines and two appliers; one applier is killed in mid plan and the other finishes it', async () => {
  // The test ends the lease of the killed process. No other process loses its lease because of a pause.
  const running = await start({
    real: true,
    simulator: standing,
    env: {
      VIGIL_APPLIER_LEASE_SECONDS: '600',
      VIGIL_APPLIER_POLL_SECONDS: '1',
      VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN: '2',
    },
  });
  await running.start(['decision-engine'], { VIGIL_HOST_ID: 'engine-1' });
  await running.start(['decision-engine'], { VIGIL_HOST_ID: 'engine-2' });
  const appliers = new Map([
    ['applier-1', await running.start(['applier'], { VIGIL_HOST_ID: 'applier-1' })],
    ['applier-2', await running.start(['applier'], { VIGIL_HOST_ID: 'applier-2' })],
  ]);
  const { plan } = await runAudit(running, 'workload_stabilization', {
    thresholds: { instance_cpu_usage: 0.02 },
    periods: wholeHistory,
  });
  const { client } = running;
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: plan.uuid } }, body: {} });
  const states = async () =>
    (await client.list('actions', { filters: { action_plan_uuid: plan.uuid } })).map(({ state }) => state);
  const requested = async () => (await countMigrations(running)).size;
  await expect.poll(requested).toBe(2);
  await running.control('/tick', { seconds: 3600 });
  await expect.poll(requested).toBeGreaterThan(2);
  expect(await states()).toEqual(expect.arrayContaining(['SUCCEEDED', 'ONGOING']));
  const { hostname: killed } = await client.get('action_plans', plan.uuid);
  await appliers.get(killed ?? '')?.kill();
  const heir = async () => {
    const expire = 'UPDATE action_plans SET lease_expires_at = now() WHERE uuid = $1 AND hostname = $2';
    await running.sql(expire, [plan.uuid, killed]);
    return (await client.get('action_plans', plan.uuid)).hostname;
  };
  await expect.poll(heir, { interval: 200 }).toBe(killed === 'applier-1' ? 'applier-2' : 'applier-1');
  await letPass(running, 200);

  const ended = await client.waitForActionPlan(plan.uuid, { pollMs: 200, timeoutMs: 120_000 });
  const actions = await client.list('actions', { filters: { action_plan_uuid: plan.uuid } });

  expect(ended.state).toBe('SUCCEEDED');
  expect(new Set(actions.map(({ state }) => state))).toEqual(new Set(['SUCCEEDED']));
  const migrations = await countMigrations(running);
  expect([...migrations.entries()].filter(([, count]) => count > 1)).toEqual([]);
  expect(migrations.size).toBe(actions.length);
});

test('the example plugin serves an audit; the API alone takes writes, whose messages wait for a reader, also on the schema of a next release', async () => {
  const running = await start({
    env: {
      VIGIL_GATE_PERIOD_SECONDS: '0.2',
      VIGIL_GATE_TRIES: '1',
      VIGIL_GATE_RETRY_SECONDS: '0.05',
      VIGIL_PLUGINS: resolve('examples/strategy-plugin'),
    },
  });
  const engine = await running.start(['decision-engine']);
  const { audit, plan } = await runAudit(running, 'spread_by_count', {});
  expect(audit).toMatchObject({ state: 'SUCCEEDED', strategy_name: 'spread_by_count' });
  expect(plan.strategy_name).toBe('spread_by_count');

  await engine.stop();
  const { client } = running;
  const created = await dataOf(
    client.api.POST('/v1/audits', {
      body: { goal: 'dummy', strategy: 'dummy', audit_type: 'ONESHOT', auto_trigger: false, force: false } as never,
    }),
  );
  expect(created.state).toBe('PENDING');

  // The schema of a next release that still supports these processes. The API started before it, the engine starts on
  // it.
  await running.sql(schemaOfTomorrow);
  const refusal = async () => {
    const response = await fetch(`${running.api.url}/readyz`, { signal: AbortSignal.timeout(60_000) });
    return `${response.status} ${await response.text()}`;
  };
  await expect.poll(refusal, { timeout: 60_000 }).toMatch(/^503 .*Tomorrow9999999999999/s);
  await running.sql(`INSERT INTO schema_migrations_additive VALUES ('Tomorrow9999999999999')`);
  await expect.poll(refusal, { timeout: 60_000 }).toMatch(/^200/);
  await running.start(['decision-engine']);

  expect(await client.waitForAudit(created.uuid, { pollMs: 100, timeoutMs: 120_000 })).toMatchObject({
    state: 'SUCCEEDED',
  });
  const later = { name: 'later', goal: 'dummy', strategy: 'dummy', audit_type: 'ONESHOT' } as never;
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: later }));
  expect(await client.waitForAudit(uuid, { pollMs: 100, timeoutMs: 120_000 })).toMatchObject({ state: 'SUCCEEDED' });
});
