import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'amqplib';
import { expect, test } from 'vitest';
import { atEnd } from '../at-end.ts';
import { testServerUrl } from '../servers/test-server-url.ts';
import { untilLockWait } from '../until-lock-wait.ts';
import { useSql } from '../use-database.ts';
import { noHistory } from './test-stack.ts';
import { useTestStack } from './use-vigil.ts';

/** Outcomes of changes whose client hangs up, in the audit log and as CADF events of a real broker. */
const broker = testServerUrl('rabbitmq');
const stack = await useTestStack({
  simulator: ['--generate', 'hosts=2,instances=4,seed=3', ...noHistory],
  env: {
    VIGIL_AMQP_URL: broker,
    VIGIL_AMQP_PREFIX: `vigil_${randomUUID().slice(0, 8)}`,
    VIGIL_NOTIFICATION_LEVEL: 'none',
    VIGIL_NOTIFICATION_AUDIT_LOG: 'true',
  },
});
const sql = useSql(stack.env.VIGIL_DATABASE_URL!);
const locks = useSql(stack.env.VIGIL_DATABASE_URL!);
const received = await listenForCadfEvents();
await Promise.all([stack.start(['decision-engine']), stack.start(['applier'])]);
const token = await stack.issueToken();

interface CadfEvent {
  event_type: string;
  payload: { id: string; outcome: string; target: { id: string }; reason?: { reasonCode: string } };
}

/** Other tests may use the same exchange, so the events of a request are found by its id. */
async function listenForCadfEvents(): Promise<CadfEvent[]> {
  const events: CadfEvent[] = [];
  const connection = await connect(broker);
  atEnd(() => connection.close());
  const channel = await connection.createChannel();
  await channel.assertExchange('watcher', 'topic', { durable: false, autoDelete: false });
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, 'watcher', 'notifications.*');
  const take = (content: Buffer) => {
    const message = JSON.parse(JSON.parse(content.toString())['oslo.message']) as CadfEvent;
    if (message.event_type.startsWith('audit.http.')) events.push(message);
  };
  await channel.consume(queue, (delivery) => delivery && take(delivery.content), { noAck: true });
  return events;
}

/** Sends a DELETE that waits for a lock, and closes its connection before the response. */
async function deleteAndLeave(name: string): Promise<void> {
  await locks.query('BEGIN; LOCK TABLE audit_templates IN ACCESS EXCLUSIVE MODE');
  const leaving = request(`${stack.api.url}/v1/audit_templates/${name}`, {
    method: 'DELETE',
    headers: { 'x-auth-token': token },
  });
  leaving.on('error', () => undefined);
  leaving.end();
  await untilLockWait(sql);
  const closed = new Promise((resolve) => leaving.once('close', resolve));
  leaving.destroy();
  await closed;
  // The API receives the end of that connection before these requests.
  for (let round = 0; round < 2; round += 1) await (await fetch(`${stack.api.url}/`)).text();
  await locks.query('ROLLBACK');
}

const entriesOf = async (name: string): Promise<{ uuid: string; status: number | null }[]> =>
  (await sql.query("SELECT uuid, status FROM audit_log WHERE method = 'DELETE' AND target = $1", [name])).rows;

test.each([
  { name: 'left-behind', exists: true, status: 204, outcome: 'success' },
  { name: 'never-made', exists: false, status: 404, outcome: 'failure' },
])('a client that hangs up leaves the outcome $status and its pair of CADF events', async ({ name, ...expected }) => {
  if (expected.exists) await stack.client.api.POST('/v1/audit_templates', { body: { name, goal: 'dummy' } });

  await deleteAndLeave(name);

  await expect.poll(async () => (await entriesOf(name)).map(({ status }) => status)).toEqual([expected.status]);
  const [entry] = await entriesOf(name);
  const pair = () => received.filter(({ payload }) => payload.id === entry!.uuid);
  await expect.poll(() => pair().length).toBe(2);
  expect(pair()).toMatchObject([
    { event_type: 'audit.http.request', payload: { outcome: 'pending', target: { id: name } } },
    {
      event_type: 'audit.http.response',
      payload: { outcome: expected.outcome, target: { id: name }, reason: { reasonCode: String(expected.status) } },
    },
  ]);
  const lines = stack.api.output().split('\n');
  const line = lines.find((text) => text.includes('change requested') && text.includes(`"${name}"`));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ status: expected.status, clientLeft: true });
});
