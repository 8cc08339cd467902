import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { useDatabase } from '#tests';
import { noHistory } from './test-stack.ts';
import { useTestStack } from './use-vigil.ts';
import { runVigil } from './vigil-process.ts';

const stack = await useTestStack({ simulator: ['--generate', 'hosts=2,instances=4', ...noHistory] });
const empty = await useDatabase({ migrated: false });
const folder = mkdtempSync(join(tmpdir(), 'vigil-bad-'));
const occupied = createServer();
await new Promise<void>((done) => occupied.listen(0, '127.0.0.1', done));
const port = String((occupied.address() as { port: number }).port);
afterAll(async () => {
  occupied.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

interface BadInput {
  what: string;
  args: string[];
  env?: () => NodeJS.ProcessEnv;
  says: RegExp;
}

const wrongPassword = () => ({ VIGIL_DATABASE_URL: stack.env.VIGIL_DATABASE_URL!.replace(/:[^:@/]+@/, ':wrong@') });

const cases: BadInput[] = [
  {
    what: 'no database',
    args: ['api'],
    env: () => ({ VIGIL_DATABASE_URL: '' }),
    says: /VIGIL_DATABASE_URL is not set/,
  },
  {
    what: 'a URL of the wrong kind',
    args: ['api'],
    env: () => ({ VIGIL_DATABASE_URL: 'mysql://h/d' }),
    says: /VIGIL_DATABASE_URL must be a URL that starts with postgres:\/\//,
  },
  { what: 'a wrong database password', args: ['decision-engine'], env: wrongPassword, says: /password/i },
  {
    what: 'a database without schema',
    args: ['api'],
    env: () => ({ VIGIL_DATABASE_URL: empty.url }),
    says: /vigil db upgrade/,
  },
  {
    what: 'a wrong password of the cloud',
    args: ['applier'],
    env: () => ({ OS_PASSWORD: 'wrong' }),
    says: /Keystone.*(401|refused|password)/i,
  },
  {
    what: 'a cloud URL that is not Keystone',
    args: ['applier'],
    env: () => ({ OS_AUTH_URL: `${stack.simulator.url}/nothing` }),
    says: /OS_AUTH_URL|Keystone/,
  },
  { what: 'a port in use', args: ['api'], env: () => ({ VIGIL_PORT: port }), says: /port \d+.*in use/i },
  {
    what: 'a simulator port in use',
    args: ['simulator'],
    env: () => ({ VIGIL_SIMULATOR_PORT: port }),
    says: /port \d+.*in use|in use/i,
  },
  {
    what: 'a world file that is missing',
    args: ['simulator', '--port', '0', '--world', '/nowhere.json'],
    says: /\/nowhere\.json/,
  },
  {
    what: 'a world file that is not JSON',
    args: ['simulator', '--port', '0', '--world', 'broken'],
    env: () => ({ VIGIL_SIMULATOR_WORLD: write('broken.json', '{') }),
    says: /broken/,
  },
  {
    what: 'a plugin that is missing',
    args: ['decision-engine'],
    env: () => ({ VIGIL_PLUGINS: '/no/such/plugin', VIGIL_PLUGINS_STRICT: 'true' }),
    says: /plugin \/no\/such\/plugin/,
  },
  {
    what: 'an unwritable data directory',
    args: ['up'],
    env: () => ({ VIGIL_DATA_DIR: '/proc/vigil', VIGIL_DATABASE_URL: '' }),
    says: /\/proc\/vigil.*VIGIL_DATA_DIR/,
  },
  {
    what: 'several wrong values at once',
    args: ['api'],
    env: () => ({ VIGIL_PORT: '70000', VIGIL_LOG_LEVEL: 'loud' }),
    says: /VIGIL_PORT must be.*VIGIL_LOG_LEVEL must be/,
  },
  { what: 'an unknown verb', args: ['frobnicate'], says: /frobnicate/ },
  {
    what: 'no VIGIL_DATABASE_URL for the schema',
    args: ['db', 'upgrade'],
    env: () => ({ VIGIL_DATABASE_URL: '' }),
    says: /VIGIL_DATABASE_URL is not set/,
  },
];

test.each(cases)('$what ends in one clear line and a bad exit code', async ({ args, env, says }) => {
  const { exitCode, stderr } = await runVigil(args, { ...stack.env, VIGIL_LOG_LEVEL: 'error', ...env?.() });

  const lines = stderr.trim().split('\n');
  expect(exitCode).not.toBe(0);
  expect(exitCode).not.toBeNull();
  expect(lines.filter((line) => !line.startsWith('{'))).toHaveLength(1);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/secret|wrong@|\n\s+at /);
});

test('an error in a world file names its place', async () => {
  const world = JSON.parse(gunzipSync(readFileSync('services/simulator/worlds/azure2017-40.json.gz')).toString());
  const file = write('faulty.json', JSON.stringify({ ...world, hosts: [{ ...world.hosts[0], name: 7 }] }));

  const { exitCode, stderr } = await runVigil(['simulator', '--port', '0', '--world', file], stack.env);

  expect(exitCode).toBe(1);
  expect(stderr).toContain(file);
  expect(stderr).toMatch(/hosts/);
});

test("an error in a plugin's manifest names the field", async () => {
  const plugin = resolve('examples/strategy-plugin');
  expect(existsSync(plugin)).toBe(true);
  write('package.json', JSON.stringify({ name: 'bad', type: 'module', exports: './index.js' }));
  write('index.js', 'export const plugins = [{ manifest: { kind: "strategy", name: "Bad Name" }, run() {} }];');

  const { exitCode, stderr } = await runVigil(['decision-engine'], {
    ...stack.env,
    VIGIL_LOG_LEVEL: 'error',
    VIGIL_PLUGINS: folder,
    VIGIL_PLUGINS_STRICT: 'true',
  });

  expect(exitCode).toBe(78);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/manifest\./);
});

test('an unknown goal is refused by the API with the reason, and nothing is stored', async () => {
  const body = { goal: 'no_such_goal', audit_type: 'ONESHOT', auto_trigger: false, force: false } as never;

  await expect(stack.client.api.POST('/v1/audits', { body })).rejects.toMatchObject({
    status: 404,
    faultstring: expect.stringContaining('Goal no_such_goal could not be found'),
  });
  expect(await stack.client.list('audits')).toEqual([]);
});
