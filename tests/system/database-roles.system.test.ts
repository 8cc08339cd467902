import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVigilClient, dataOf } from '#libs/client';
import { runSql } from '../run-sql.ts';
import { noHistory, startTestStack, type TestStack } from './test-stack.ts';
import { runVigil } from './vigil-process.ts';

let stack: TestStack;
const role = `vigil_app_${randomUUID().slice(0, 8)}`;
beforeAll(async () => {
  stack = await startTestStack({ simulator: ['--generate', 'hosts=4,instances=12,seed=3', ...noHistory] });
});
afterAll(async () => {
  const url = stack?.env.VIGIL_DATABASE_URL ?? '';
  await runSql(url, `DROP OWNED BY ${role}`);
  await stack?.stop();
  await runSql(process.env.VIGIL_TEST_POSTGRES_URL ?? '', `DROP ROLE ${role}`);
});

test('every process works as a role that owns no table', async () => {
  const owner = stack.env.VIGIL_DATABASE_URL ?? '';
  await runSql(owner, `CREATE ROLE ${role} LOGIN PASSWORD 'hush'`);
  const printed = await runVigil(['db', 'grants', role], stack.env);
  expect(printed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`TO "${role}";\n`) });
  const url = new URL(owner);
  url.username = role;
  url.password = 'hush';
  const limited = { VIGIL_DATABASE_URL: url.href };
  const refused = await runVigil(['db', 'version'], { ...stack.env, ...limited });
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('permission denied') });
  expect(await runVigil(['db', 'grants', role, '--apply'], stack.env)).toMatchObject({ exitCode: 0 });

  const api = await stack.start(['api'], limited);
  for (const name of ['decision-engine', 'applier', 'scheduler', 'coordinator']) await stack.start([name], limited);
  const domain = { name: 'Default' };
  const client = createVigilClient({
    url: api.url!,
    credentials: {
      kind: 'password',
      authUrl: `${stack.simulator.url}/identity`,
      ...{ userName: 'admin', password: 'vigil', userDomain: domain, projectName: 'admin', projectDomain: domain },
    },
  });
  const body = { goal: 'dummy', strategy: 'dummy', audit_type: 'ONESHOT', force: true, parameters: { para1: 1 } };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  expect(await client.waitForAudit(uuid, { pollMs: 100, timeoutMs: 120_000 })).toMatchObject({ state: 'SUCCEEDED' });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: uuid } });
  const ident = plan?.uuid ?? '';
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident } }, body: {} });
  const ended = await client.waitForActionPlan(ident, { pollMs: 100, timeoutMs: 120_000 });
  expect(ended).toMatchObject({ state: 'SUCCEEDED' });

  const names = [
    'expire-action-plans',
    'prune-outbox',
    'prune-history',
    'prune-changes',
    'prune-tasks',
    'prune-audit-log',
    'purge',
  ];
  for (const name of names) {
    const task = await runVigil(['tasks', 'run', name, '--wait'], {
      ...{ ...stack.env, OS_USERNAME: 'admin', OS_PROJECT_NAME: 'admin', VIGIL_API_URL: api.url! },
    });
    expect(task, name).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('permission denied') });
  }
});
