import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { dataOf, untilAnswered } from '#libs/client';
import { messageOf } from '#libs/domain';
import { type ComposedStack, imageTag, startComposedStack } from './composed-stack.ts';
import { type ContainerEngine, findContainerEngine } from './container-engine.ts';

/** Most megabytes that our layers may add to the base image. */
const mostMegabytes = 150;
/** Most processor seconds of one health check. Starting Node takes at least 0.2. */
const mostHealthSeconds = 0.05;

let containers: ContainerEngine;
let stack: ComposedStack;
const log = (line: string) => process.stdout.write(`${line}\n`);
beforeAll(async () => {
  containers = await findContainerEngine();
  log(`engine: ${containers.description}`);
  const started = performance.now();
  await containers.build(imageTag);
  log(`image ${imageTag} built in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  stack = await startComposedStack(containers, log);
});
afterAll(() => stack?.down());

const ours = () => stack.services.filter(({ isOurs, lasts }) => isOurs && lasts);

/** Retries as clients do, because the API on a busy machine may temporarily report an unavailable server. */
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
  const [creating, starting] = [randomUUID(), randomUUID()].map((key) => ({ 'Idempotency-Key': key }));
  const { uuid } = await untilAnswered(() =>
    dataOf(client.api.POST('/v1/audits', { body: body as never, headers: creating })),
  );
  const audit = await client.waitForAudit(uuid, { pollMs: 500, timeoutMs: 180_000 });
  expect(audit).toMatchObject({ state: 'SUCCEEDED' });
  const [plan] = await untilAnswered(() => client.list('action_plans', { filters: { audit_uuid: uuid } }));
  const ident = plan?.uuid ?? '';
  const start = { params: { path: { ident } }, headers: starting, body: {} };
  await untilAnswered(() => dataOf(client.api.POST('/v1/action_plans/{ident}/start', start)));
  const ended = await client.waitForActionPlan(ident, { pollMs: 500, timeoutMs: 400_000 });
  const actions = await untilAnswered(() => client.list('actions', { filters: { action_plan_uuid: ident } }));
  log(`plan ${ended.state}, ${actions.length} actions`);
  expect(ended).toMatchObject({ state: 'SUCCEEDED' });
  expect(actions.length).toBeGreaterThan(0);
}

test('the image is small and has only files of the program', async () => {
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

test('every service ends within its grace period, is not killed, and restarts', async () => {
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

test('Kolla-Ansible and OpenStack-Helm start it by the commands of Watcher', async () => {
  const folder = deployedFiles();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kolla = ['--user', '0', '--volume', `${folder}:/var/lib/kolla/config_files:ro`, '--env'];
  const helm = ['--user', '1000', '--volume', `${join(folder, 'watcher.conf')}:/etc/watcher/watcher.conf:ro`];
  const check = (name: string, ...command: string[]) =>
    expect
      .poll(() => stack.execute(name, ...command).then(() => 'healthy', messageOf), {
        timeout: 180_000,
        interval: 1000,
      })
      .toBe('healthy');

  // The job that makes the schema ends after its work.
  await stack.add('kolla-bootstrap', [...kolla, 'KOLLA_BOOTSTRAP='], ['kolla_start']);
  await expect
    .poll(() => stack.inspect('kolla-bootstrap', '.State.Status'), { timeout: 180_000, interval: 1000 })
    .toBe('exited');
  expect(await stack.remove('kolla-bootstrap')).toBe('0');
  await stack.add('kolla-api', [...kolla, 'KOLLA_CONFIG_STRATEGY=COPY_ALWAYS'], ['kolla_start']);
  await stack.add('helm-api', helm, ['uwsgi', '--ini', '/etc/watcher/watcher-api-uwsgi.ini']);
  await stack.add('helm-applier', helm, ['watcher-applier', '--config-file', '/etc/watcher/watcher.conf']);
  await check('kolla-api', 'healthcheck_curl', 'http://127.0.0.1:9322/healthcheck');
  await check('helm-api', 'healthcheck_curl', 'http://127.0.0.1:9322/');
  await check('helm-applier', 'healthcheck_port', 'watcher-applier', '5672');
  expect(await stack.execute('kolla-api', 'cat', '/proc/1/status')).toMatch(/^Uid:\s+1000\s/m);
  for (const name of ['kolla-api', 'helm-api', 'helm-applier']) expect(await stack.remove(name), name).toBe('0');
});

/** Folder with the files that Kolla-Ansible mounts; OpenStack-Helm mounts the `watcher.conf`. */
function deployedFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-deployed-'));
  chmodSync(folder, 0o755);
  const watcherConf = `[DEFAULT]
transport_url = rabbit://vigil:test-amqp@rabbitmq:5672//
[api]
host = 0.0.0.0
port = 9322
[database]
connection = mysql+pymysql://watcher:pw@mariadb:3306/watcher
[watcher_clients_auth]
auth_url = http://simulator:9390/identity
auth_type = password
username = vigil
password = vigil
project_name = service
user_domain_name = Default
project_domain_name = Default
[vigil]
database_url = postgres://vigil:test-db@postgres:5432/vigil
`;
  const source = '/var/lib/kolla/config_files/watcher.conf';
  const config = {
    command: 'watcher-api --config-file /etc/watcher/watcher.conf',
    config_files: [{ source, dest: '/etc/watcher/watcher.conf', owner: 'watcher', perm: '0600' }],
    permissions: [{ path: '/var/log/kolla/watcher', owner: 'watcher:watcher', recurse: true }],
  };
  writeFileSync(join(folder, 'watcher.conf'), watcherConf, { mode: 0o644 });
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config), { mode: 0o644 });
  return folder;
}

test('after all of that the next plan is executed', runPlan);
