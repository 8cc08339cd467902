import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Logger, silentLogger } from '#libs/domain';
import { createMetrics } from '#libs/service-kit';
import { noTracer } from '#libs/tracing';
import { seedCatalogue, useTestApi } from '../../testing/test-api.ts';

const lines: Record<string, unknown>[] = [];
const logger: Logger = {
  ...silentLogger,
  info: (fields: unknown, text?: string) => void lines.push({ ...(fields as object), text }),
  child: () => logger,
};
const spans = { started: 0, ended: 0 };
const span = { ...noTracer.start('x', {}), set: () => undefined, fail: () => undefined, end: () => (spans.ended += 1) };
const tracer = {
  ...noTracer,
  start() {
    spans.started += 1;
    return span as never;
  },
};
const metrics = createMetrics('test');
const api = await useTestApi({ logger, metrics, tracer });
await seedCatalogue(api.store);
const port = Number(new URL(await api.listen()).port);

/** Sends a request and hangs up after `afterMs`, without reading the response. */
async function hangUp(method: string, path: string, afterMs: number, body = ''): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const headers = `host: localhost\r\nx-vigil-dashboard: 1\r\nx-user-id: gone\r\ncontent-type: application/json`;
  socket.write(`${method} ${path} HTTP/1.1\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  if (afterMs > 0) await sleep(afterMs);
  else await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
}

async function entries(): Promise<{ target: string; status: number | null }[]> {
  return (await api.sql.query(`SELECT target, status FROM audit_log WHERE user_id = 'gone' ORDER BY id`)).rows;
}

/** Waits until the API has closed all connections, ended all requests and stored all outcomes. */
async function untilIdle(): Promise<void> {
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      api.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  const isPending = ({ status }: { status: number | null }) => status === null;
  const open = async () => [
    await connections(),
    spans.started - spans.ended,
    (await entries()).filter(isPending).length,
  ];
  await expect.poll(open).toEqual([0, 0, 0]);
}

it('every change of a client that hangs up has one outcome, log line, metric and span', async () => {
  // Each deletion waits for this lock, so no client sees a response.
  const names = Array.from({ length: 30 }, (_, index) => `left-${index}`);
  for (const name of names) await api.send('POST', '/v1/audit_templates', { name, goal: 'dummy' });
  const other = await api.sql.connect();
  await other.query('BEGIN; LOCK TABLE audit_templates IN EXCLUSIVE MODE');
  lines.length = 0;
  spans.ended = spans.started;
  const before = spans.ended;
  await Promise.all(names.map((name, index) => hangUp('DELETE', `/v1/audit_templates/${name}`, index % 6)));
  await other.query('ROLLBACK');
  other.release();
  await untilIdle();
  const kept = (await api.get('/v1/audit_templates')).json().audit_templates.map(({ name }: { name: string }) => name);
  const deleted = names.filter((name) => !kept.includes(name));
  expect(deleted.length).toBeGreaterThan(0);
  const rows = await entries();
  const done = rows.filter(({ status }) => status === 204);
  expect(done.map(({ target }) => target).sort()).toEqual([...deleted].sort());
  const requested = lines.filter(({ text, userId }) => text === 'change requested' && userId === 'gone');
  expect(requested.filter(({ status }) => status === 204)).toHaveLength(deleted.length);
  expect(requested.every(({ clientLeft }) => clientLeft === true)).toBe(true);
  const { body } = await metrics.expose();
  const series = /vigil_api_request_seconds_count\{[^}]*method="DELETE"[^}]*status="204"[^}]*\} (\d+)/;
  expect(series.exec(body)?.[1]).toBe(String(deleted.length));
  expect(spans.ended - before).toBeGreaterThanOrEqual(deleted.length);
});

it('a refused change of a client that hangs up has its outcome', async () => {
  await hangUp('PATCH', '/v1/audit_templates/unknown', 2, '[{"op":"replace","path":"/name","value":"x"}]');
  await expect.poll(async () => (await entries()).filter(({ status }) => status === 404).length).toBe(1);
});
