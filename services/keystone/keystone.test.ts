import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import { type ConnectedIdentityAdmin, connectIdentityAdmin, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { type RunningSimulator, startSimulator } from '../simulator/start-simulator.ts';
import { smallWorld } from '../simulator/testing/simulation-fixture.ts';
import { run } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-keystone-'));
const passwordFile = join(folder, 'password');
let simulator: RunningSimulator;
let keystone: ConnectedIdentityAdmin;
let login: Record<string, string>;

beforeAll(async () => {
  writeFileSync(passwordFile, 'new-secret\n');
  simulator = await startSimulator(
    { world: smallWorld(), writer: null, clock: systemClock, newUuid: () => crypto.randomUUID(), logger: silentLogger },
    { password: 'vigil' },
  );
  login = { OS_AUTH_URL: simulator.authUrl, OS_USERNAME: 'admin', OS_PASSWORD: 'vigil', OS_PROJECT_NAME: 'admin' };
  keystone = connectIdentityAdmin(openStackConfigFromEnv(login), { logger: silentLogger, clock: systemClock });
});
afterAll(async () => {
  await keystone.close();
  await simulator.stop();
  rmSync(folder, { recursive: true });
});

let out = '';
let err = '';
const usual = { ...process.env };
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OS_')) delete process.env[name];
  Object.assign(process.env, login);
});
afterEach(() => Object.assign(process.env, usual));

async function vigil(...words: string[]): Promise<number> {
  out = '';
  err = '';
  const writing = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      err += String(text);
      return true;
    }),
  ];
  try {
    return await run(words);
  } finally {
    for (const spy of writing) spy.mockRestore();
  }
}
const register = (...words: string[]) =>
  vigil('register', '--public-url', 'https://vigil.example.org:9322/', '--user', 'optimizer', ...words);

describe('vigil keystone', () => {
  it('a dry run prints the steps, and changes nothing', async () => {
    expect(await register('--dry-run', '--password-file', passwordFile), err).toBe(0);
    expect(out.split('\n')).toEqual([
      'would: create service infra-optim (vigil)',
      'would: create endpoint public of RegionOne: https://vigil.example.org:9322',
      'would: create endpoint internal of RegionOne: https://vigil.example.org:9322',
      'would: create endpoint admin of RegionOne: https://vigil.example.org:9322',
      'would: create user optimizer',
      'would: grant role admin of optimizer in service',
      '',
    ]);
    expect(await keystone.admin.services('infra-optim')).toEqual([]);
  });

  it('grants the roles that its help names', async () => {
    await vigil('register', '--help');
    const [, named] = /--role[^(]*\(default: ([^)]*)\)/.exec(out) ?? [];
    expect(await register('--dry-run', '--json', '--password-file', passwordFile), err).toBe(0);
    const { steps } = JSON.parse(out) as { steps: { what: string }[] };
    const granted = steps.flatMap(({ what }) => /^grant role (\S+) /.exec(what)?.[1] ?? []);
    expect(named?.split(/,\s+/)).toEqual(granted);
  });

  it('creates everything once, updates differences, and can sign in as the new user', async () => {
    expect(await register('--password-file', passwordFile), err).toBe(0);
    expect(await register('--internal-url', 'http://10.0.0.1:9322', '--json'), err).toBe(0);
    const { steps } = JSON.parse(out) as { steps: { what: string; changed: boolean }[] };
    expect(steps.filter(({ changed }) => changed).map(({ what }) => what)).toEqual([
      'change endpoint internal of RegionOne: https://vigil.example.org:9322 to http://10.0.0.1:9322',
      'change endpoint admin of RegionOne: https://vigil.example.org:9322 to http://10.0.0.1:9322',
    ]);
    const as = { ...login, OS_USERNAME: 'optimizer', OS_PASSWORD: 'new-secret', OS_PROJECT_NAME: 'service' };
    const own = connectIdentityAdmin(openStackConfigFromEnv(as), { logger: silentLogger, clock: systemClock });
    expect(await own.admin.services('infra-optim')).toMatchObject([{ name: 'vigil' }]);
    await own.close();
  });

  it('forgets all of it, and has nothing to do then', async () => {
    expect(await vigil('unregister', '--user', 'optimizer'), err).toBe(0);
    expect(out).toContain('done: delete service infra-optim (vigil)\ndone: delete user optimizer\n');
    expect(await vigil('unregister', '--user', 'optimizer')).toBe(0);
    expect(out).toBe('There is nothing to do.\n');
  });

  it.each([
    [['register'], 2, ''],
    [['register', '--public-url', 'vigil:9322'], 2, ''],
    [['register', '--public-url', 'http://v', '--user', 'nobody'], 2, 'the user nobody is new: give its password'],
    [['register', '--public-url', 'http://v', '--project', 'nothing'], 1, 'Keystone has no project nothing'],
    [['register', '--public-url', 'http://v', '--role', 'emperor'], 1, 'Keystone has no role emperor'],
  ])('%j ends with %i', async (words, code, text) => {
    expect(await vigil(...words)).toBe(code);
    expect(err).toContain(text);
  });

  it.each([
    ['https://vigil.example.org:9321', 'https://vigil.example.org:932'],
    ['https://vigil1', 'https://vigil'],
    ['https://example.org/v1/v1', 'https://example.org'],
    ['https://vigil.example.org/optim', null],
    ['https://vigil.example.org:9322/v1/', null],
  ])("warns when Watcher's client would cut %s", async (url, used) => {
    expect(await vigil('register', '--public-url', url, '--no-user', '--dry-run')).toBe(0);
    const base = url.replace(/\/$/, '');
    expect(err).toBe(
      used === null ? '' : `warning: python-watcherclient requests ${used} instead of ${base}: end it otherwise\n`,
    );
  });

  it('reports a login that is not an administrator', async () => {
    Object.assign(process.env, { OS_USERNAME: 'member', OS_PROJECT_NAME: 'demo' });
    expect(await register('--no-user')).toBe(1);
    expect(err).toMatch(/^vigil keystone: [^\n]*\n$/);
    expect(err).toContain('You are not authorized to perform the requested action: identity:create_service');
  });
});
