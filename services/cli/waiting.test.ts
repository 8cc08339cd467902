import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InterruptedError } from './errors.ts';
import { runVigil } from './testing/run-vigil.ts';

const uuid = '0b2c7d1e-6f9d-4a51-9d5b-2a77c1b0f001';

/** One response of the scripted API: a status with headers, a body, or a dropped connection. */
type Step = { status: number; headers?: Record<string, string>; body?: object } | 'cut' | 'cut in the body';

interface Seen {
  method: string;
  path: string;
  key: string | undefined;
  atMs: number;
}

let server: Server;
let url: string;
let port: number;
let seen: Seen[];
/** Responses to requests of this method, in turn. The last one forever. */
let script: Record<string, Step[]>;

beforeEach(async () => {
  seen = [];
  server = createServer(respond);
  await listen(0);
  ({ port } = server.address() as AddressInfo);
  url = `http://127.0.0.1:${port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function listen(at: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(at, '127.0.0.1', resolve);
  });
}

function respond(request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url: path = '' } = request;
  const key = request.headers['idempotency-key'] as string | undefined;
  seen.push({ method, path, key, atMs: performance.now() });
  const step = path.includes('/actions/') ? { status: 200, body: { actions: [], next: null } } : nextStep(method);
  if (step === 'cut') {
    request.socket.destroy();
  } else if (step === 'cut in the body') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{');
    setImmediate(() => request.socket.destroy());
  } else {
    sendJson(response, step);
  }
}

function nextStep(method: string): Step {
  const steps = script[method] ?? [];
  return (steps.length > 1 ? steps.shift() : steps[0]) ?? { status: 500 };
}

function sendJson(response: ServerResponse, { status, headers, body }: Exclude<Step, string>): void {
  const text = JSON.stringify(body ?? { error_message: 'not now' });
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

const vigil = (args: string[], signal?: AbortSignal) =>
  runVigil(args, { env: { VIGIL_API_URL: url }, pollMs: 10, signal });

const plan = (state: string): Step => ({ status: 200, body: { uuid, state, status_message: null } });
const closed: Step = { status: 503, headers: { 'retry-after': '1' } };
const start = ['actionplan', 'start', uuid, '--wait'];

describe('a command that waits', () => {
  it('continues after 503, 429, dropped connections and truncated responses, and honours Retry-After', async () => {
    script = {
      POST: [closed, 'cut', plan('PENDING')],
      GET: [plan('ONGOING'), { status: 429, headers: { 'retry-after': '1' } }, 'cut in the body', plan('SUCCEEDED')],
    };
    const { code, err } = await vigil(start);
    expect(code, err).toBe(0);
    const posts = seen.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(3);
    // Sent three times, executed once.
    expect(new Set(posts.map(({ key }) => key)).size).toBe(1);
    expect(posts[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(posts[1]!.atMs - posts[0]!.atMs).toBeGreaterThan(990);
    const reads = seen.filter(({ method, path }) => method === 'GET' && path.includes('action_plans'));
    expect(reads[2]!.atMs - reads[1]!.atMs).toBeGreaterThan(990);
    expect(err).toContain('waiting: not now\n');
    expect(err).toContain('SUCCEEDED: 0 of 0 actions ended, 0 failed\n');
  });

  it('ends with 4 when --max-migrations left out a part of the plan, and with 0 when it did not', async () => {
    const cut = { actions_left_out: 205, migrations_left_out: 195, hosts_left_out: ['a'], max_migrations: 1 };
    const limited = [...start, '--max-migrations', '1'];
    script = { POST: [plan('PENDING')], GET: [plan('SUCCEEDED'), { status: 200, body: { cut } }] };
    expect(await vigil(limited)).toMatchObject({
      code: 4,
      err: expect.stringContaining(
        'partially succeeded: --max-migrations left out 205 actions, 195 of them migrations',
      ),
    });
    script = { POST: [plan('PENDING')], GET: [plan('SUCCEEDED'), { status: 200, body: { cut: null } }] };
    expect((await vigil(limited)).code).toBe(0);
  });

  it('continues after the API was unreachable', async () => {
    script = { POST: [plan('PENDING')], GET: ['cut', plan('SUCCEEDED')] };
    const waiting = vigil(start);
    await expect.poll(() => seen.some(({ method }) => method === 'GET')).toBe(true);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await listen(port);
    expect((await waiting).code).toBe(0);
  });

  it('fails after --max-outage, and immediately when Retry-After exceeds it', async () => {
    script = { POST: [plan('PENDING')], GET: [{ status: 503 }] };
    expect(await vigil([...start, '--max-outage', '0.5'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('vigil: not now\n'),
    });
    script = { POST: [{ status: 429, headers: { 'retry-after': '3600' } }] };
    expect(await vigil([...start, '--max-outage', '60'])).toMatchObject({ code: 1, err: 'vigil: not now\n' });
    expect(await vigil([...start, '--max-outage', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('It must be a number of seconds'),
    });
  });

  it('does not retry permanent failures, nor without --wait', async () => {
    script = { POST: [{ status: 404 }] };
    expect((await vigil(start)).code).toBe(1);
    script = { POST: [closed] };
    expect(await vigil(['actionplan', 'start', uuid])).toEqual({ code: 1, out: '', err: 'vigil: not now\n' });
    expect(seen).toHaveLength(2);
    expect(seen[1]?.key).toBeUndefined();
  });

  it('cancels once, although the response was lost', async () => {
    script = { GET: [plan('ONGOING'), plan('CANCELLING'), plan('CANCELLED')], PATCH: ['cut', { status: 400 }] };
    expect((await vigil(['actionplan', 'cancel', uuid, '--wait'])).code).toBe(0);
    expect(seen.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  it.each([
    [['audit', 'create', '-g', 'dummy', '--wait'], 'SUCCEEDED'],
    [['actionplan', 'rollback', uuid, '--wait'], 'SUCCEEDED'],
    [['tasks', 'run', 'purge', '--wait'], 'SUCCEEDED'],
    [['tasks', 'retry', uuid, '--wait'], 'SUCCEEDED'],
    [['tasks', 'redrive', '--all', '--wait'], 'SUCCEEDED'],
    [['service', 'restart', 'watcher-applier'], 'OK'],
  ])('%j continues as well', async (args, end) => {
    const created: Step = { status: 200, body: { uuid, id: uuid, name: 'n', state: 'PENDING' } };
    const ended: Step = { status: 200, body: { uuid, id: uuid, name: 'n', state: end } };
    script = { POST: args[0] === 'service' ? [created] : ['cut', created], GET: ['cut', { status: 503 }, ended] };
    const { code, err } = await vigil(args);
    expect(code, err).toBe(0);
  });

  it('watch-changes continues as well, and fails after --max-outage', async () => {
    script = { GET: [closed] };
    expect(await vigil(['watch-changes', '--max-outage', '1.5'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^reconnecting: not now\n(reconnecting: not now\n)*vigil: not now\n$/),
    });
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeGreaterThan(990);
  });
});

describe('a command that receives a stop signal', () => {
  it.each([
    ['while the plan runs', plan('ONGOING')],
    ['while the API is unavailable', 'cut' as const],
    ['in a long pause', { status: 503, headers: { 'retry-after': '300' } }],
  ])('%s ends with 130 and names the work that continues', async (_when, command) => {
    script = { POST: [plan('PENDING')], GET: [command] };
    const ending = new AbortController();
    const waiting = vigil(start, ending.signal);
    await expect.poll(() => seen.some(({ path }) => path.startsWith(`/v1/action_plans/${uuid}`))).toBe(true);
    await expect.poll(() => seen.some(({ method }) => method === 'GET')).toBe(true);
    ending.abort(new InterruptedError('SIGINT'));
    const { code, err } = await waiting;
    expect(code).toBe(130);
    expect(err).toContain(`vigil: interrupted; action plan ${uuid} continues: vigil actionplan show ${uuid}\n`);
  });

  it('while it follows changes ends with 130 and no error', async () => {
    script = { GET: ['cut'] };
    const ending = new AbortController();
    const waiting = vigil(['watch-changes'], ending.signal);
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    ending.abort(new InterruptedError('SIGINT'));
    const { code, err } = await waiting;
    expect(code).toBe(130);
    expect(err).not.toContain('vigil:');
  });
});
