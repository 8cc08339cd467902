import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

const scripts = resolve('deploy/container');
const run = promisify(execFile);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-kolla-'));
  chmodSync(folder, 0o755);
  for (const name of ['watcher-api', 'watcher-applier', 'watcher-db-manage']) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  mkdirSync(join(folder, 'certificates'));
  writeFileSync(join(folder, 'watcher.conf'), '[DEFAULT]\n');
  writeFileSync(join(folder, 'certificates/root.crt'), 'a certificate\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Command of the container with this config.json, and its output. */
async function start(config: object, env: Record<string, string> = {}): Promise<string> {
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(config));
  const PATH = `${folder}:${process.env.PATH}`;
  const running = run(join(scripts, 'kolla_start'), [], { env: { PATH, KOLLA_CONFIG_FILE: file, ...env } });
  return running.then(({ stdout }) => stdout.trim()).catch(({ stderr }: { stderr: string }) => stderr.trim());
}

const copied = () => join(folder, 'etc/watcher/watcher.conf');
const files = () => [
  { source: join(folder, 'watcher.conf'), dest: copied(), owner: 'watcher', perm: '0600' },
  { source: join(folder, 'certificates'), dest: join(folder, 'etc/certificates'), owner: 'watcher', perm: '0600' },
  { source: join(folder, '*.pem'), dest: join(folder, 'etc/'), owner: 'watcher', perm: '0600', optional: true },
];

test('files are copied as config.json says, and its command runs', async () => {
  const command = `watcher-applier --config-file ${copied()}`;
  expect(await start({ command, config_files: files() })).toBe(command);
  expect(readFileSync(copied(), 'utf8')).toBe('[DEFAULT]\n');
  expect(statSync(copied()).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, 'etc/certificates/root.crt'), 'utf8')).toBe('a certificate\n');
});

test('the bootstrap job upgrades the database, and a web server for the API is ours', async () => {
  const command = 'watcher-api --config-file /etc/watcher/watcher.conf';
  expect(await start({ command }, { KOLLA_BOOTSTRAP: '' })).toBe(
    'watcher-db-manage --config-file /etc/watcher/watcher.conf upgrade',
  );
  expect(await start({ command })).toBe(command);
  for (const server of ['/usr/sbin/apache2 -DFOREGROUND', '/usr/sbin/httpd -DFOREGROUND', 'uwsgi /etc/api-uwsgi.ini'])
    expect(await start({ command: server })).toBe('watcher-api');
});

test('an unusable configuration is reported', async () => {
  const missing = { source: join(folder, 'nothing'), dest: folder, owner: 'watcher', perm: '0600' };
  expect(await start({ command: 'watcher-api', config_files: [missing] })).toMatch(/nothing is not there/);
  expect(await start({})).toMatch(/config\.json: it names no command/);
});

test('the health checks of Kolla-Ansible distinguish a working process from a failed one', async () => {
  let status = 200;
  const server = createServer((_request, reply) => reply.writeHead(status).end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const code = (name: string, ...args: string[]) =>
    run(join(scripts, name), args).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
  for (const path of ['', '/', '/healthcheck'])
    expect(await code('healthcheck_curl', `http://127.0.0.1:${port}${path}`)).toBe(0);
  status = 503;
  expect(await code('healthcheck_curl', `http://127.0.0.1:${port}/healthcheck`)).toBe(1);
  expect(await code('healthcheck_curl', 'http://127.0.0.1:1/')).toBe(1);

  const script = `require('node:net').connect(${port}, '127.0.0.1', () => console.log('connected'))`;
  const connected = spawn(process.execPath, ['-e', script], { argv0: 'watcher-applier-of-a-test' });
  onTestFinished(() => void connected.kill());
  await once(connected.stdout, 'data');
  expect(await code('healthcheck_port', 'watcher-applier-of-a-test', String(port))).toBe(0);
  expect(await code('healthcheck_port', 'watcher-applier-of-a-test', '5672')).toBe(1);
  expect(await code('healthcheck_port', 'watcher-decision-of-a-test', String(port))).toBe(1);
});

test('the image has the commands that Kolla-Ansible calls', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  for (const name of ['kolla_start', 'kolla-files.cjs', 'healthcheck_curl', 'healthcheck_port'])
    expect(dockerfile).toContain(`/build/deploy/container/${name} `);
});
