import { resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { createProgram } from '../../services/cli/create-program.ts';
import { leavesOf, quietContext } from '../../services/cli/testing/every-command.ts';
import { runVigil } from '../../services/cli/testing/run-vigil.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../otlp-receiver.ts';
import { codeBlocks, commandRows, commandsToRun, documentedPages } from '../tree/documented-commands.ts';
import { startTestStack, type TestStack, type TestStackOptions } from './test-stack.ts';

interface SimulatorState {
  cpu_spread: { stddev: number };
  hosts: { name: string; cpu_percent: number; servers: number }[];
}
interface LoggedRequest {
  method: string;
  path: string;
  status: number;
  requestId: string;
}

let stack: TestStack | undefined;
let collector: OtlpReceiver | undefined;
afterEach(async () => {
  await stack?.stop();
  await collector?.close();
  stack = undefined;
  collector = undefined;
});

const smallWorld = ['--generate', 'hosts=6,instances=48,seed=7,skew=3'];

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

/**
 * In this cloud time stands still until `letPass`: every window of the history shows one load, and no server arrives.
 */
const standing = [...smallWorld, '--speed', '0'];
const letPass = ({ control }: TestStack, speed: number) => control('/speed', { speed });
const wholeHistory = { instance: 600, compute_node: 600 };

async function runAudit({ client }: TestStack, strategy: string, parameters: object) {
  const { name: goal } = await client.get('goals', (await client.get('strategies', strategy)).goal_name!);
  const created = await dataOf(
    client.api.POST('/v1/audits', {
      body: { goal, strategy, audit_type: 'ONESHOT', parameters, auto_trigger: false, force: false } as never,
    }),
  );
  const audit = await client.waitForAudit(created.uuid, { pollMs: 100, timeoutMs: 120_000 });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: audit.uuid } });
  return { audit, plan: plan! };
}

async function execute({ client }: TestStack, planUuid: string) {
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: planUuid } }, body: {} });
  const plan = await client.waitForActionPlan(planUuid, { pollMs: 200, timeoutMs: 120_000 });
  return { plan, actions: await client.list('actions', { filters: { action_plan_uuid: planUuid } }) };
}

async function countMigrations({ control }: TestStack): Promise<Map<string, number>> {
  const { requests } = await control<{ requests: LoggedRequest[] }>('/requests');
  const counts = new Map<string, number>();
  for (const { method, path } of requests.filter(
    (request) => request.method === 'POST' && request.path.endsWith('/action'),
  ))
    counts.set(`${method} ${path}`, (counts.get(`${method} ${path}`) ?? 0) + 1);
  return counts;
}

/** Everything from the request for an audit to the requests to Nova is one trace. Who started the plan is a link. */
async function expectOneTrace(
  { spans }: OtlpReceiver,
  { control }: TestStack,
  of: { audit: string; plan: string; actions: number },
): Promise<void> {
  const ofPlan = (name: string) =>
    spans.find((span) => span.name === name && span.attributes['vigil.plan'] === of.plan);
  const measured = () => ofPlan('measure outcome');
  const collected = () => ofPlan('action plan') !== undefined && measured() !== undefined;
  await expect.poll(collected).toBe(true);
  const run = spans.find(({ name, attributes }) => name === 'audit' && attributes['vigil.audit'] === of.audit)!;
  const inTrace = spans.filter(({ traceId }) => traceId === run.traceId);
  const parentOf = (child: ReceivedSpan) => inTrace.find(({ spanId }) => spanId === child.parentSpanId)!;

  const sent = parentOf(run);
  const asked = parentOf(sent);
  // The attributes that OpenTelemetry's conventions require.
  const question = { 'http.route': '/v1/audits', 'url.path': '/v1/audits', 'url.scheme': 'http' };
  expect(asked).toMatchObject({ service: 'vigil-api', name: 'POST /v1/audits', kind: 2, attributes: question });
  expect(asked.parentSpanId).toBeUndefined();
  const system = expect.stringMatching(/^(rabbitmq|postgresql)$/);
  const message = { 'messaging.system': system, 'messaging.destination.name': 'audit.trigger' };
  expect(sent).toMatchObject({ name: 'send audit.trigger', kind: 4, attributes: message });
  expect(run).toMatchObject({ service: 'vigil-decision-engine', attributes: { 'vigil.outcome': 'succeeded' } });
  const execution = ofPlan('action plan')!;
  expect(execution).toMatchObject({ service: 'vigil-applier', attributes: { 'vigil.end': 'SUCCEEDED' } });
  expect(parentOf(execution)).toMatchObject({ name: 'store plan', parentSpanId: run.spanId });
  const started = spans.find(({ name }) => name === 'POST /v1/action_plans/:ident/start')!;
  expect(execution.links.map(({ traceId }) => traceId)).toEqual([started.traceId]);
  const actions = inTrace.filter(
    ({ parentSpanId, name }) => parentSpanId === execution.spanId && /^action /.test(name),
  );
  expect(actions).toHaveLength(of.actions);
  expect(inTrace).toContain(measured());

  const { requests } = await control<{ requests: LoggedRequest[] }>('/requests');
  const moves = requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/action'));
  const told = inTrace.filter(({ name }) => name === 'POST compute');
  expect(told.map(({ attributes }) => attributes['http.response.header.x-openstack-request-id']).sort()).toEqual(
    moves.map(({ requestId }) => [requestId]).sort(),
  );
  for (const { attributes } of told) {
    const { port, pathname } = new URL(String(attributes['url.full']));
    expect(attributes).toMatchObject({ 'server.port': port, 'url.path': pathname, 'http.request.method': 'POST' });
  }
  expect(JSON.stringify(spans)).not.toMatch(/password|:\/\/[^/"]*:[^/"]*@|gAAAA/i);
  const ids = new Set(actions.map(({ spanId }) => spanId));
  expect(told.every(({ parentSpanId }) => ids.has(parentSpanId ?? ''))).toBe(true);
}

test('separate processes on PostgreSQL, RabbitMQ and InfluxDB: from audit to executed plan', async () => {
  collector = await startOtlpReceiver();
  const running = await start({ real: true, simulator: standing, env: { VIGIL_OTLP_URL: collector.url } });
  await running.start(['decision-engine']);
  await running.start(['applier']);
  const before = await running.control<SimulatorState>('/state');

  const { audit, plan } = await runAudit(running, 'workload_stabilization', {
    thresholds: { instance_cpu_usage: 0.02 },
    periods: wholeHistory,
  });
  await letPass(running, 200);
  const { plan: ended, actions } = await execute(running, plan.uuid);
  const after = await running.control<SimulatorState>('/state');

  expect(audit.state).toBe('SUCCEEDED');
  expect(ended.state).toBe('SUCCEEDED');
  expect(actions.length).toBeGreaterThan(2);
  expect(new Set(actions.map(({ state }) => state))).toEqual(new Set(['SUCCEEDED']));
  expect(after.cpu_spread.stddev).toBeLessThan(before.cpu_spread.stddev / 2);
  expect([...(await countMigrations(running)).values()].every((count) => count === 1)).toBe(true);
  await expectOneTrace(collector, running, { audit: audit.uuid, plan: plan.uuid, actions: actions.length });

  const { action_uuid, cloud_request_ids } = await dataOf(
    running.client.api.GET('/v1/actions/{ident}/reason', { params: { path: { ident: actions[0]!.uuid } } }),
  );
  const { requests } = await running.control<{ requests: { globalRequestId: string; requestId: string }[] }>(
    '/requests',
  );
  const ofAction = requests.filter(({ globalRequestId }) => globalRequestId === `req-${action_uuid}`);
  expect(cloud_request_ids).toEqual(ofAction.map(({ requestId }) => requestId));
  expect(cloud_request_ids).toHaveLength(1);
});

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
  const look = async () => {
    const state = await running.control<{ hosts: { name: string; servers: number; status: string }[] }>('/state');
    return state.hosts.find(({ name }) => name === victim.name);
  };
  expect(await look()).toMatchObject({ servers: 0, status: 'disabled' });

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
  expect(await look()).toMatchObject({ servers: victim.servers, status: 'enabled' });
  const ofRollback = { params: { path: { ident: rollback.uuid } } };
  const { hosts: undoneHosts } = await dataOf(client.api.GET('/v1/action_plans/{ident}/preview', ofRollback));
  expect(undoneHosts.find(({ hostname }) => hostname === victim.name)).toMatchObject({
    before: { instances: 0, enabled: false },
    after: { instances: victim.servers, enabled: true },
    so_far: { instances: victim.servers, enabled: true },
  });

  const again = await runAudit(running, 'rolling_maintenance', { compute_nodes: [victim.name] });
  expect((await execute(running, again.plan.uuid)).plan.state).toBe('SUCCEEDED');
  expect(await look()).toMatchObject({ servers: 0, status: 'disabled' });
  const back = await runAudit(running, 'host_return', { compute_nodes: [victim.name], bring_back: true });
  expect((await execute(running, back.plan.uuid)).plan.state).toBe('SUCCEEDED');
  expect(await look()).toMatchObject({ servers: victim.servers, status: 'enabled' });

  const others = hosts.filter(({ name, servers }) => name !== victim.name && servers > 0);
  const calmest = others.sort((one, other) => one.servers - other.servers);
  await runDocumentedCommands(
    running,
    calmest.map(({ name }) => name),
  );
});

/** As people type them, with hosts and uuids of this cloud. Each plan that is executed is one of its own. */
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
    const answered = JSON.parse(listed.out) as { uuid?: string; name?: string }[] | object;
    const first = Array.isArray(answered) ? answered[0] : undefined;
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
  // The lease of the one that is killed ends by the test's word: nobody loses his because he stood still for a while.
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
  const asked = async () => (await countMigrations(running)).size;
  await expect.poll(asked).toBe(2);
  await running.control('/tick', { seconds: 3600 });
  await expect.poll(asked).toBeGreaterThan(2);
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

test('the example plugin serves an audit; the API alone takes writes, whose messages wait until somebody reads them, also on the schema of a next release', async () => {
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

  // The schema of a next release, beside which these processes can work as far as it says. The engine starts on it, the
  // API ran before.
  await running.sql(schemaOfTomorrow);
  const refusal = async () => {
    const answer = await fetch(`${running.api.url}/readyz`, { signal: AbortSignal.timeout(60_000) });
    return `${answer.status} ${await answer.text()}`;
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
