import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CloudCallMetrics } from '#libs/openstack';
import type { Cloud } from '../cloud.ts';
import { OpenStackError } from '../errors.ts';
import { connectTo, failureOf, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

const emptyServices = { status: 200, body: { services: [] } };
const listing = 'GET /compute/v2.1/os-services';
const action = 'POST /compute/v2.1/servers/s1/action';

describe('calls to a service that misbehaves', () => {
  let scripted: ScriptedCloud;
  let cloud: Cloud;

  beforeEach(async () => {
    scripted = await startScriptedCloud();
    cloud = connectTo(scripted);
    await cloud.identity.token();
  });

  afterEach(async () => {
    await cloud.close();
    await scripted.close();
  });

  async function openStackFailure(call: Promise<unknown>): Promise<OpenStackError> {
    const error = await failureOf(call);
    if (!(error instanceof OpenStackError)) throw error;
    return error;
  }

  /** A client with short limits for the calls under test. Its calls before these have the usual limits. */
  async function impatient(): Promise<Cloud> {
    const hasty = connectTo(scripted, { timeoutMs: 500 });
    await expect.poll(() => hasty.compute.listServices().catch(() => null), { interval: 1 }).not.toBeNull();
    scripted.seen.length = 0;
    return hasty;
  }

  it.each([429, 502, 503, 504])('repeats a read after %i', async (status) => {
    scripted.script = (request) => {
      if (!request.path.endsWith('/os-services')) return undefined;
      return scripted.count(listing) < 3 ? { status } : emptyServices;
    };
    expect(await cloud.compute.listServices()).toEqual([]);
    expect(scripted.count(listing)).toBe(3);
  });

  it('gives up a read after three tries and passes the fault text on', async () => {
    scripted.script = (request) =>
      request.path.endsWith('/os-services') ? { status: 503, body: { error: { message: 'too busy' } } } : undefined;
    const error = await openStackFailure(cloud.compute.listServices());
    expect(error).toMatchObject({ status: 503, message: 'too busy', category: 'retryable', ambiguous: false });
    expect(scripted.count(listing)).toBe(3);
  });

  it('waits as long as Retry-After says', async () => {
    scripted.script = (request) => {
      if (!request.path.endsWith('/os-services')) return undefined;
      return scripted.count(listing) < 2 ? { status: 503, headers: { 'retry-after': '1' } } : emptyServices;
    };
    const started = Date.now();
    await cloud.compute.listServices();
    expect(Date.now() - started).toBeGreaterThanOrEqual(950);
  });

  it('repeats a read whose connection broke', async () => {
    scripted.script = (request) => {
      if (!request.path.endsWith('/os-services')) return undefined;
      return scripted.count(listing) < 3 ? 'break' : emptyServices;
    };
    expect(await cloud.compute.listServices()).toEqual([]);
  });

  it('ends a read without a response at the time limit', async () => {
    scripted.script = (request) => (request.path.endsWith('/os-services') ? emptyServices : undefined);
    const hasty = await impatient();
    scripted.script = (request) => (request.path.endsWith('/os-services') ? 'hang' : undefined);
    const error = await openStackFailure(hasty.compute.listServices());
    await hasty.close();
    expect(error).toMatchObject({ status: 0, category: 'retryable', ambiguous: false });
    expect(error.message).toContain('no response within 0.5 s');
    expect(scripted.count(listing)).toBe(1);
  });

  it.each(['hang', 'break'] as const)(
    'never repeats a change without a response (%s) and calls it ambiguous',
    async (reply) => {
      scripted.script = (request) => (request.path.endsWith('/os-services') ? emptyServices : undefined);
      const hasty = await impatient();
      scripted.script = (request) =>
        request.method === 'POST' && request.path.endsWith('/action') ? reply : undefined;
      const error = await openStackFailure(hasty.compute.liveMigrate('s1', 'h2'));
      await hasty.close();
      expect(error).toMatchObject({ status: 0, ambiguous: true, request: 'POST /compute/v2.1/servers/s1/action' });
      expect(scripted.count(action)).toBe(1);
    },
  );

  it.each([
    [500, true],
    [502, true],
    [503, false],
    [504, true],
    [409, false],
    [429, false],
  ])('never repeats a change with the status %i (ambiguous: %s)', async (status, ambiguous) => {
    scripted.script = (request) => (request.path.endsWith('/action') ? { status } : undefined);
    const error = await openStackFailure(cloud.compute.liveMigrate('s1', 'h2'));
    expect(error).toMatchObject({ status, ambiguous });
    expect(scripted.count(action)).toBe(1);
  });

  it('tries a change again when the connection was refused, and is sure that nothing was sent', async () => {
    const nova = await startScriptedCloud();
    const outcomes: string[] = [];
    const metrics: CloudCallMetrics = { observe: (call) => outcomes.push(`${call.method} ${call.outcome}`) };
    const endpointOverrides = { compute: `${nova.url}/compute/v2.1` };
    const other = connectTo(scripted, { endpointOverrides }, { metrics });
    await failureOf(other.compute.listServices());
    await nova.close();
    const error = await openStackFailure(other.compute.liveMigrate('s1', 'h2'));
    await other.close();
    expect(error).toMatchObject({ status: 0, ambiguous: false, category: 'retryable' });
    expect(error.message).toContain('connection refused');
    expect(outcomes.filter((outcome) => outcome === 'POST connection_error')).toHaveLength(3);
  });

  it('stops when the caller gives up', async () => {
    const caller = new AbortController();
    scripted.script = (request) => {
      if (!request.path.endsWith('/action')) return undefined;
      caller.abort();
      return 'hang';
    };
    const error = await openStackFailure(cloud.compute.liveMigrate('s1', null, { signal: caller.signal }));
    expect(error).toMatchObject({ ambiguous: true });
    const early = await openStackFailure(cloud.compute.liveMigrate('s1', null, { signal: AbortSignal.abort() }));
    expect(early).toMatchObject({ ambiguous: false });
    expect(scripted.count(action)).toBe(1);
  });

  it('sends the request id with a change and counts every exchange', async () => {
    const observed: string[] = [];
    const metrics: CloudCallMetrics = {
      observe: (call) => observed.push(`${call.service} ${call.method} ${call.outcome} ${call.status}`),
    };
    const counted = connectTo(scripted, {}, { metrics });
    scripted.script = (request) => (request.path.endsWith('/action') ? { status: 202 } : undefined);
    await counted.compute.coldMigrate('s1', 'h2', { requestId: 'req-7b0e' });
    await counted.close();
    const sent = scripted.seen.at(-1);
    expect(sent?.headers['x-openstack-request-id']).toBe('req-7b0e');
    expect(sent?.headers['openstack-api-version']).toBe('compute 2.56');
    expect(sent?.body).toEqual({ migrate: { host: 'h2' } });
    expect(observed).toEqual(['identity POST ok 201', 'compute GET ok 200', 'compute POST ok 202']);
  });
});
