import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertStrategy } from '#tests';
import { seedCatalogue, seedPlan, useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

const api = await useTestApi();
const seed = await seedCatalogue(api.store);
const url = await api.listen();

const vigil = (args: string[], env: Record<string, string> = { VIGIL_API_URL: url }) => runVigil(args, { env });
const json = async (...args: string[]) => JSON.parse((await vigil([...args, '--json'])).out);

describe('reads', () => {
  it('shows tables for people and JSON for programs', async () => {
    const table = await vigil(['goal', 'list']);
    expect(table).toMatchObject({ code: 0, err: '' });
    expect(table.out).toContain('Display name');
    expect(table.out).toContain(seed.dummyGoal.uuid);
    expect(await json('goal', 'list')).toMatchObject([{ name: 'dummy' }, { name: 'other' }]);
    expect(await json('strategy', 'list', '--goal', 'dummy', '--sort-key', 'name', '--sort-dir', 'desc')).toMatchObject(
      [{ name: 'free' }, { name: 'dummy' }],
    );
    expect((await vigil(['strategy', 'show', 'dummy'])).out).toContain('para1');
    expect((await vigil(['goal', 'list', '--detail'])).out).toContain('indicator (%)');
  });

  it('follows the pages up to --limit', async () => {
    expect(await json('strategy', 'list', '--limit', '2')).toHaveLength(2);
    expect(await json('strategy', 'list', '--limit', '0')).toHaveLength(3);
  });

  it.each([
    ['service', 'list'],
    ['scoringengine', 'list'],
    ['audit', 'list'],
    ['audittemplate', 'list', '--detail'],
  ])('%s %s works on an empty cloud', async (...args) => {
    expect((await vigil(args.filter(Boolean))).code).toBe(0);
  });
});

it('counts how long ago something was from the time of the server', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('X-Vigil-Time', '2031-05-04T12:03:00.000Z');
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ uuid: 'u', name: 'a', state: 'PENDING', created_at: '2031-05-04T12:00:00+00:00' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { VIGIL_API_URL: `http://127.0.0.1:${port}` };
  const { out, err } = await runVigil(['audit', 'show', 'a'], { env, columns: 80 });
  server.closeAllConnections();
  server.close();
  expect(out, err).toContain('(3 minutes ago)');
});

describe('the way of an audit', () => {
  it('goes from template to deletion', async () => {
    const template = await json('audittemplate', 'create', 'at1', 'dummy', '-s', 'dummy', '-p', 'para1=4');
    expect(template).toMatchObject({ default_parameters: { para1: 4 } });
    expect(await json('audittemplate', 'update', 'at1', 'replace', 'description=text')).toMatchObject({
      description: 'text',
    });
    const audit = await json('audit', 'create', '-a', 'at1', '--name', 'audit1', '-p', 'para2=x');
    expect(audit).toMatchObject({ state: 'PENDING', parameters: { para1: 4, para2: 'x' }, audit_type: 'ONESHOT' });
    expect((await vigil(['audit', 'report', 'audit1'])).out).toContain('has not run yet');
    expect(await json('audit', 'cancel', 'audit1')).toMatchObject({ state: 'CANCELLED' });
    expect(await vigil(['audit', 'delete', 'audit1'])).toEqual({ code: 0, out: '', err: '' });
    expect(await vigil(['audittemplate', 'delete', 'at1'])).toEqual({ code: 0, out: '', err: '' });
    const again = await vigil(['audit', 'show', 'audit1']);
    expect(again).toEqual({ code: 1, out: '', err: 'vigil: Audit audit1 could not be found\n' });
  });

  it('prints the warning of the API about an audit that undoes another one', async () => {
    for (const [name, aim] of [
      ['packer', 'pack'],
      ['spreader', 'spread'],
    ] as const) {
      const parametersSpec = { type: 'object', 'x-aim': aim, properties: {} };
      await insertStrategy(api.store.db, seed.dummyGoal, () => ({ name, parametersSpec }));
    }
    const create = (strategy: string) =>
      vigil(['audit', 'create', '-g', 'dummy', '-s', strategy, '-t', 'CONTINUOUS', '-i', '600', '--name', strategy]);
    expect(await create('packer')).toMatchObject({ code: 0, err: '' });
    const second = await create('spreader');
    expect(second.code).toBe(0);
    expect(second.err).toMatch(/^warning: audit packer \([0-9a-f-]{36}\) packs instances/);
  });

  it('keeps the interval as text', async () => {
    const audit = await json('audit', 'create', '-g', 'dummy', '-t', 'CONTINUOUS', '-i', '600');
    expect(await json('audit', 'update', audit.uuid, 'add', 'interval=2')).toMatchObject({ interval: '2' });
  });

  it('waits, and fails when the audit does', async () => {
    const waiting = vigil(['audit', 'create', '-g', 'dummy', '--name', 'failing', '--wait']);
    await expect.poll(() => api.store.db.audits.find('failing')).not.toBeNull();
    const audit = await api.store.db.audits.get('failing');
    await api.store.db.audits.transition(audit.uuid, 'fail', { set: { statusMessage: 'no metrics' } });
    expect(await waiting).toMatchObject({ code: 1, err: `vigil: audit ${audit.uuid} is FAILED: no metrics\n` });
  });
});

describe('the way of a plan', () => {
  it('starts, waits with progress, and reports the reason', async () => {
    const { plan, actions } = await seedPlan(api.store, seed);
    expect(
      await json('actionplan', 'list', '--audit', (await api.store.db.actionPlans.get(plan.uuid)).auditUuid),
    ).toHaveLength(1);
    expect((await vigil(['actionplan', 'show', plan.uuid])).out).toContain('gain: 1.5 %');
    expect(await json('action', 'list', '--action-plan', plan.uuid)).toHaveLength(2);
    expect((await vigil(['action', 'reason', actions[0]?.uuid ?? ''])).out).toMatch(/^Summary +s$/m);
    const skipped = await json('action', 'update', actions[1]?.uuid ?? '', '--state', 'SKIPPED', '--reason', 'no');
    expect(skipped).toMatchObject({ status_message: 'Action skipped by user. Reason: no' });
    const waiting = vigil(['actionplan', 'start', plan.uuid, '--on-failure', 'stop', '--wait']);
    const { db } = api.store;
    await expect.poll(async () => (await db.actionPlans.get(plan.uuid)).state).toBe('PENDING');
    await db.actionPlans.transition(plan.uuid, 'claim');
    await db.actions.transition(actions[0]?.uuid ?? '', 'begin');
    await db.actions.transition(actions[0]?.uuid ?? '', 'succeed');
    await db.actionPlans.transition(plan.uuid, 'succeed');
    const run = await waiting;
    expect(run.code).toBe(0);
    expect(run.err).toContain('SUCCEEDED: 2 of 2 actions ended, 0 failed');
    expect((await db.actionPlans.get(plan.uuid)).onFailure).toBe('stop');
    expect(await vigil(['actionplan', 'delete', plan.uuid])).toEqual({ code: 0, out: '', err: '' });
  });

  it('is previewed, paused, resumed and aborted', async () => {
    const { plan } = await seedPlan(api.store, seed);
    await api.store.db.planHosts.insert(plan.id, {
      modelTakenAt: '2026-11-22T00:00:00Z',
      hosts: [],
      moved: {},
      unplaced: { instances: 0, vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 },
      reserve: [{ domain: 'zone z1', change: 'lost' }],
      duration: { low: 50, high: 70 },
    });
    const { out } = await vigil(['actionplan', 'preview', plan.uuid]);
    expect(out).toContain('Sequential seconds');
    expect(out).toMatch(/zone z1\W+lost/);
    expect(out).toMatch(/duration\W+50 to 70 s/);
    await json(
      'actionplan',
      'start',
      plan.uuid,
      '--max-workers',
      '2',
      '--window-cron',
      '0 2 * * *',
      '--window-seconds',
      '60',
      '--window-zone',
      'Europe/Berlin',
    );
    await json('actionplan', 'pause', plan.uuid);
    expect(await json('actionplan', 'outcome', plan.uuid)).toMatchObject({
      paused: true,
      max_workers: 2,
      window_cron: '0 2 * * *',
      window_seconds: 60,
      window_zone: 'Europe/Berlin',
    });
    await json('actionplan', 'resume', plan.uuid);
    expect(await json('actionplan', 'outcome', plan.uuid)).toMatchObject({ paused: false });
    expect(await json('actionplan', 'abort', plan.uuid)).toMatchObject({ state: 'CANCELLED' });
    const wrong = await vigil(['actionplan', 'start', plan.uuid, '--on-failure', 'hope']);
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining('Allowed choices are continue, stop, rollback'),
    });
  });

  it('is rolled back after its end', async () => {
    const { plan, actions } = await seedPlan(api.store, seed, { actions: 1 });
    const { db } = api.store;
    await db.actionDescriptions.replaceAll([{ actionType: 'nop', description: 'n', revertible: 'exact' }]);
    await db.actionPlans.transition(plan.uuid, 'start');
    await db.actionPlans.transition(plan.uuid, 'claim');
    await db.actions.transition(actions[0]?.uuid ?? '', 'begin');
    await db.actions.transition(actions[0]?.uuid ?? '', 'succeed');
    await db.actionPlans.transition(plan.uuid, 'succeed');
    expect((await vigil(['actionplan', 'rollback', plan.uuid, '--preview'])).out).toContain('Undoes nop');
    expect(await json('actionplan', 'rollback', plan.uuid)).toMatchObject({ state: 'PENDING' });
    expect(await json('actionplan', 'rollback', plan.uuid, '--preview')).toMatchObject({ possible: false });
    expect((await vigil(['actionplan', 'rollback', plan.uuid])).err).toContain('is being rolled back by action plan');
  });

  it('cancels', async () => {
    const { plan } = await seedPlan(api.store, seed);
    expect(await json('actionplan', 'cancel', plan.uuid)).toMatchObject({
      state: 'CANCELLED',
      status_message: 'Cancelled on request before it started',
    });
    expect(await vigil(['actionplan', 'start', plan.uuid])).toMatchObject({
      code: 1,
      err: "vigil: Couldn't start when state is 'CANCELLED'.\n",
    });
  });
});

describe('wrong usage and failures end in one line', () => {
  it.each([
    [['nonsense'], 2, "vigil: unknown command 'nonsense'\n"],
    [['goal', 'show'], 2, "vigil: missing required argument 'id'\n"],
    [['goal', 'list', '--limit', 'x'], 2, 'vigil: --limit must be a whole number, not x\n'],
    [['audit', 'create', '-g', 'dummy', '-p', 'x'], 2, 'vigil: x must have the form name=value\n'],
    [['audit', 'update', 'a', 'move', 'x=1'], 2, 'vigil: the operation must be add, replace or remove, not move\n'],
    [['completion', 'tcsh'], 2, 'vigil: there is completion for bash, zsh and fish, not for tcsh\n'],
    [['audit', 'create'], 2, 'vigil: specify --goal or --audit-template; `vigil goal list` shows the goals\n'],
    [['audit', 'create', '-g', 'dummy', '-t', 'CONTINUOUS'], 2, 'vigil: a CONTINUOUS audit needs --interval\n'],
    [['audit', 'preview'], 2, "vigil: required option '-g, --goal <goal>' not specified\n"],
    [['goal', 'show', 'nope'], 1, 'vigil: Goal nope could not be found\n'],
  ])('%j', async (args, code, err) => {
    expect(await vigil(args)).toEqual({ code, out: '', err });
  });

  it('reports a missing response', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    const run = await vigil(['goal', 'list'], { VIGIL_API_URL: address });
    expect(run.code).toBe(3);
    expect(run.err).toMatch(/^vigil: http:\S+ cannot be reached: .*ECONNREFUSED.*\n$/);
  });

  it('names a missing variable', async () => {
    expect(await vigil(['goal', 'list'], {})).toMatchObject({ code: 2, err: expect.stringContaining('VIGIL_API_URL') });
    expect(await vigil(['goal', 'list'], { OS_AUTH_URL: 'http://k:5000' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('OS_USERNAME'),
    });
  });

  it('prints help', async () => {
    expect(await vigil(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Exit codes') });
    expect((await vigil([])).code).toBe(2);
    expect((await vigil(['audit'])).code).toBe(2);
  });

  it.each(['bash', 'zsh', 'fish'])('prints completion for %s', async (shell) => {
    const { code, out } = await vigil(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['actionplan', 'decision-engine', '--parameter']) expect(out).toContain(word);
  });
});

describe('Keystone', () => {
  let keystone: Server;
  let authUrl: string;
  const bodies: unknown[] = [];

  beforeAll(async () => {
    keystone = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString());
        bodies.push(body);
        const refused = body.auth.identity.password?.user.password === 'wrong';
        response.writeHead(refused ? 401 : 201, { 'content-type': 'application/json', 'x-subject-token': 'T' });
        const endpoints = [{ interface: 'public', region: 'one', url: `${url}/` }];
        response.end(
          JSON.stringify(
            refused
              ? { error: { code: 401, title: 'Unauthorized', message: 'The request requires authentication.' } }
              : { token: { catalog: [{ type: 'infra-optim', endpoints }] } },
          ),
        );
      });
    });
    await new Promise<void>((resolve) => keystone.listen(0, '127.0.0.1', resolve));
    authUrl = `http://127.0.0.1:${(keystone.address() as AddressInfo).port}/v3`;
  });
  afterAll(() => new Promise((resolve) => keystone.close(resolve)));

  const password = { OS_USERNAME: 'admin', OS_PROJECT_NAME: 'admin', OS_USER_DOMAIN_NAME: 'Default' };

  it('logs in with a password and finds the API in the catalogue', async () => {
    const run = await vigil(['goal', 'list'], { ...password, OS_AUTH_URL: authUrl, OS_PASSWORD: 'secret' });
    expect(run).toMatchObject({ code: 0, err: '' });
    expect(bodies.at(-1)).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'admin', domain: { name: 'Default' }, password: 'secret' } },
        },
        scope: { project: { name: 'admin', domain: { id: 'default' } } },
      },
    });
  });

  it('logs in with an application credential or a token', async () => {
    const application = { OS_APPLICATION_CREDENTIAL_ID: 'i', OS_APPLICATION_CREDENTIAL_SECRET: 's' };
    expect((await vigil(['goal', 'list'], { OS_AUTH_URL: authUrl, ...application })).code).toBe(0);
    expect(bodies.at(-1)).toEqual({
      auth: { identity: { methods: ['application_credential'], application_credential: { id: 'i', secret: 's' } } },
    });
    expect((await vigil(['goal', 'list'], { OS_AUTH_URL: authUrl, OS_TOKEN: 'abc' })).code).toBe(0);
    expect(bodies.at(-1)).toEqual({ auth: { identity: { methods: ['token'], token: { id: 'abc' } } } });
  });

  it('prints the error of Keystone, without the password', async () => {
    const run = await vigil(['goal', 'list'], { ...password, OS_AUTH_URL: authUrl, OS_PASSWORD: 'wrong' });
    expect(run.code).toBe(1);
    expect(run.err).toContain('refused the login: The request requires authentication.');
    expect(run.err).not.toContain('wrong');
  });

  it('misses a region that the catalogue does not have', async () => {
    const env = { ...password, OS_AUTH_URL: authUrl, OS_PASSWORD: 's', OS_REGION_NAME: 'two' };
    expect((await vigil(['goal', 'list'], env)).err).toContain('the Keystone catalogue has no infra-optim service');
  });
});
