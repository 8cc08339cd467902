import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { type ComposedStack, imageTag, startComposedStack } from './composed-stack.ts';
import { type ContainerEngine, findContainerEngine } from './container-engine.ts';

/** What our layers may add to the base image, in megabytes. */
const mostMegabytes = 150;
/** Processor seconds that one health check may cost; starting Node takes 0.2 and more. */
const mostHealthSeconds = 0.05;

let containers: ContainerEngine;
let stack: ComposedStack;
const log = (line: string) => process.stdout.write(`${line}\n`);
beforeAll(async () => {
  containers = await findContainerEngine();
  log(`engine: ${containers.description}`);
  const began = performance.now();
  await containers.build(imageTag);
  log(`image ${imageTag} built in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  stack = await startComposedStack(containers, log);
});
afterAll(() => stack?.down());

const ours = () => stack.services.filter(({ isOurs, lasts }) => isOurs && lasts);

async function runPlan(): Promise<void> {
  const { client } = stack;
  const body = {
    goal: 'workload_balancing',
    strategy: 'workload_stabilization',
    audit_type: 'ONESHOT',
    parameters: { thresholds: { instance_cpu_usage: 0.02 } },
    auto_trigger: false,
    force: false,
  };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  const audit = await client.waitForAudit(uuid, { pollMs: 500, timeoutMs: 180_000 });
  expect(audit).toMatchObject({ state: 'SUCCEEDED' });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: uuid } });
  const ident = plan?.uuid ?? '';
  await dataOf(client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident } }, body: {} }));
  const ended = await client.waitForActionPlan(ident, { pollMs: 500, timeoutMs: 400_000 });
  const actions = await client.list('actions', { filters: { action_plan_uuid: ident } });
  log(`plan ${ended.state}, ${actions.length} actions`);
  expect(ended).toMatchObject({ state: 'SUCCEEDED' });
  expect(actions.length).toBeGreaterThan(0);
}

test('the image is small and has only what runs', async () => {
  const sizeOf = async (image: string) =>
    Number(await containers.engine('image', 'inspect', '--format', '{{.Size}}', image));
  const [, base = ''] = /^FROM (\S+)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  const [whole, below] = [await sizeOf(imageTag), await sizeOf(base)];
  const added = (whole - below) / 1e6;
  log(`size ${(whole / 1e6).toFixed(0)} MB, of which ${added.toFixed(0)} are ours`);
  expect(added).toBeLessThan(mostMegabytes);
  const found = await stack.execute(
    'api',
    'find',
    '/opt/vigil',
    '-path',
    '*/node_modules',
    '-prune',
    '-o',
    '-type',
    'f',
    '-print',
  );
  const files = found.split('\n');
  expect(files).toContain('/opt/vigil/dist/services/vigil.js');
  const odd = /\.test\.|\/\.env|\/bench\/|\/\.git\//;
  expect(files.filter((file) => odd.test(file) && !file.includes('/plugin-template/'))).toEqual([]);
});

test('every process of ours runs without root, without privileges, and cannot write into the image', async () => {
  expect(ours().map(({ name }) => name)).toHaveLength(5);
  for (const { name } of ours()) {
    expect(await stack.execute(name, 'id', '-u'), name).toBe('1000');
    const status = await stack.execute(name, 'cat', '/proc/1/status');
    expect(status, name).toMatch(/^CapEff:\s*0+$/m);
    expect(status, name).toMatch(/^CapBnd:\s*0+$/m);
    expect(status, name).toMatch(/^NoNewPrivs:\s*1$/m);
    expect(await stack.inspect(name, '.HostConfig.ReadonlyRootfs'), name).toBe('true');
    await expect(stack.execute(name, 'touch', '/home/node/x'), name).rejects.toThrow('Read-only file system');
  }
});

test('an audit becomes an executed plan through the published port', runPlan);

test('a health check is cheap', async () => {
  for (const { name } of ours()) {
    const loop = 'TIMEFORMAT="%U %S"; time for i in {1..20}; do vigil-health || exit 1; done';
    const printed = await stack.execute(name, 'bash', '-c', `{ ${loop}; } 2>&1`);
    const seconds = printed.split(' ').reduce((sum, part) => sum + Number(part), 0) / 20;
    log(`${name}: a health check takes ${(seconds * 1000).toFixed(1)} ms of processor time`);
    expect(seconds).toBeLessThan(mostHealthSeconds);
  }
});

test('every service ends within its grace period, is not killed, and comes back', async () => {
  for (const { name, graceSeconds, isOurs } of stack.services.filter(({ lasts }) => lasts)) {
    const seconds = await stack.stop(name);
    const code = await stack.inspect(name, '.State.ExitCode');
    await stack.start(name);
    const healthy = await stack.awaitHealth(name);
    log(
      `${name}: ended after ${seconds.toFixed(1)} s of ${graceSeconds}, code ${code}, healthy after ${healthy.toFixed(1)} s`,
    );
    expect(seconds, name).toBeLessThan(graceSeconds);
    expect(code, name).not.toBe('137');
    if (isOurs) expect(code, name).toBe('0');
  }
});

test('new containers keep the data of the broker, and leave no service behind', async () => {
  await stack.execute('rabbitmq', 'rabbitmqctl', '-q', 'add_vhost', 'kept');
  for (const name of ['rabbitmq', 'decision-engine', 'applier']) await stack.replace(name);
  for (const { name, lasts } of stack.services) if (lasts) await stack.awaitHealth(name);
  expect(await stack.execute('rabbitmq', 'rabbitmqctl', '-q', 'list_vhosts', '--no-table-headers')).toContain('kept');
  const services = async () =>
    (await stack.client.list('services')).map(({ name, host, status }) => `${name}@${host} ${status}`).sort();
  await expect.poll(services).toEqual(['watcher-applier@vigil ACTIVE', 'watcher-decision-engine@vigil ACTIVE']);
});

test('after all of that the next plan is executed', runPlan);
