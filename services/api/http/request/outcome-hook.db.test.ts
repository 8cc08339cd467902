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
const ended: unknown[] = [];
const span = { ...noTracer.start('x', {}), set: () => undefined, fail: () => undefined, end: () => ended.push(1) };
const metrics = createMetrics('test');
const api = await useTestApi({ logger, metrics, tracer: { ...noTracer, start: () => span as never } });
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

async function settled(count: number) {
  for (let round = 0; round < 500; round += 1) {
    const rows = await entries();
    if (rows.length >= count && rows.every(({ status }) => status !== null)) return rows;
    await sleep(20);
  }
  return entries();
}

it('every change of a client that hangs up has one outcome, log line, metric and span', async () => {
  // Each deletion waits for this lock, so no client sees a response.
  const names = Array.from({ length: 30 }, (_, index) => `left-${index}`);
  for (const name of names) await api.send('POST', '/v1/audit_templates', { name, goal: 'dummy' });
  const other = await api.sql.connect();
  await other.query('BEGIN; LOCK TABLE audit_templates IN EXCLUSIVE MODE');
  lines.length = 0;
  ended.length = 0;
  await Promise.all(names.map((name, index) => hangUp('DELETE', `/v1/audit_templates/${name}`, index % 6)));
  await other.query('ROLLBACK');
  other.release();
  const rows = await settled(1);
  const kept = (await api.get('/v1/audit_templates')).json().audit_templates.map(({ name }: { name: string }) => name);
  const deleted = names.filter((name) => !kept.includes(name));
  expect(deleted.length).toBeGreaterThan(0);
  await settled(deleted.length);
  const done = (await entries()).filter(({ status }) => status === 204);
  expect(done.map(({ target }) => target).sort()).toEqual([...deleted].sort());
  expect(rows.every(({ status }) => status !== null)).toBe(true);
  const requested = lines.filter(({ text, userId }) => text === 'change requested' && userId === 'gone');
  expect(requested.filter(({ status }) => status === 204)).toHaveLength(deleted.length);
  expect(requested.every(({ clientLeft }) => clientLeft === true)).toBe(true);
  const { body } = await metrics.expose();
  const series = /vigil_api_request_seconds_count\{[^}]*method="DELETE"[^}]*status="204"[^}]*\} (\d+)/;
  expect(series.exec(body)?.[1]).toBe(String(deleted.length));
  expect(ended.length).toBeGreaterThanOrEqual(deleted.length);
});

it('a refused change of a client that hangs up has its outcome', async () => {
  await hangUp('PATCH', '/v1/audit_templates/unknown', 2, '[{"op":"replace","path":"/name","value":"x"}]');
  await expect.poll(async () => (await entries()).filter(({ status }) => status === 404).length).toBe(1);
});
