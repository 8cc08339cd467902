import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createReadiness } from '#libs/service-kit';
import { createDiagnostics } from './diagnostics.ts';

const never = () => new Promise<never>(() => undefined);
const away = async () => {
  throw new Error('refused');
};

function create() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const readiness = createReadiness();
  const logged: object[] = [];
  const logger = { ...silentLogger, info: (fields: object) => void logged.push(fields) };
  const diagnostics = createDiagnostics({ readiness, logger, nowMs: () => 0 }, () => ({ serviceName: 'x' }));
  return { readiness, diagnostics, logged };
}

/** The response, which must arrive within the given milliseconds. */
async function within<Result>(ms: number, requested: Promise<Result>): Promise<Result> {
  await turn();
  await vi.advanceTimersByTimeAsync(ms);
  return Promise.race([requested, turn().then(() => Promise.reject(new Error(`no response within ${ms} ms`)))]);
}

test('a Check returns within two seconds if a dependency hangs, and names it', async () => {
  const { readiness, diagnostics } = create();
  readiness.add('store', never);
  readiness.add('bus', async () => undefined);
  const { status, checks } = await within(1999, diagnostics.check());
  expect(status).toBe('fail');
  expect(checks.map(({ name, status: each, reason }) => [name, each, reason])).toEqual([
    ['store', 'fail', 'no response within 1500 ms'],
    ['bus', 'pass', null],
    ['event loop', expect.any(String), expect.toBeOneOf([null, expect.any(String)])],
  ]);
});

test('a Check warns of faults that do not stop the process', async () => {
  const { readiness, diagnostics } = create();
  readiness.add('memcached', away, { advisory: true });
  const { status, checks } = await diagnostics.check();
  expect(status).toBe('warn');
  expect(checks[0]).toMatchObject({ name: 'memcached', status: 'warn', reason: 'refused' });
  readiness.add('store', away);
  const worse = await diagnostics.check();
  expect(worse.status).toBe('fail');
  expect(worse.checks.slice(0, 2).map(({ status: each }) => each)).toEqual(['warn', 'fail']);
});

test('a Status has every part; one that fails or hangs says so in its place; the log has the same', async () => {
  const { diagnostics, logged } = create();
  diagnostics.describe('work', async () => ['plan', new Date(0)]);
  diagnostics.describe('outbox', away);
  diagnostics.describe('registry', never);
  const status = await within(1999, diagnostics.status());
  expect(status).toMatchObject({
    serviceName: 'x',
    uptimeSeconds: expect.any(Number),
    memory: { rssBytes: expect.any(Number) },
    work: ['plan', '1970-01-01T00:00:00.000Z'],
    outbox: { error: 'refused' },
    registry: { error: 'no response within 1500 ms' },
  });
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({ status: { serviceName: 'x', outbox: { error: 'refused' } } });
});
