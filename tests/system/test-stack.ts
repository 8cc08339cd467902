import { randomUUID } from 'node:crypto';
import { createVigilClient, type VigilClient, type VigilClientOptions } from '#libs/client';
import { createTestDatabase } from '../database.ts';
import { runSql } from '../run-sql.ts';
import { cloudEnv } from './cloud-env.ts';
import { startVigil, type VigilProcess } from './vigil-process.ts';

export interface TestStack {
  /** Environment of every process of the stack. Use it for further ones. */
  env: NodeJS.ProcessEnv;
  simulator: VigilProcess;
  api: VigilProcess;
  client: VigilClient;
  /** A token of the administrator, for requests without the client. */
  issueToken(): Promise<string>;
  /** Starts a further process. It ends with the stack. */
  start(args: string[], env?: NodeJS.ProcessEnv): Promise<VigilProcess>;
  /** POST to, or GET from, the control API of the simulator. */
  control<Result>(path: string, body?: object): Promise<Result>;
  /** Runs a statement in the database of all processes. */
  sql(text: string, values?: unknown[]): Promise<void>;
  /**
   * Makes the history in the database older, and takes a sample. From then on the last ten minutes show the present
   * load, even if a process pauses. Needs a simulator without automatic samples.
   * @param olderBy minutes. Default 15. A day leaves nothing for strategies that compare several periods
   */
  measureAnew(olderBy?: number): Promise<void>;
  stop(): Promise<void>;
}

export interface TestStackOptions {
  /** Also RabbitMQ and InfluxDB from the test servers. Otherwise everything goes through the database. */
  real?: boolean;
  /** Arguments of the simulator. */
  simulator?: string[];
  env?: NodeJS.ProcessEnv;
  /** Returns additional environment of all processes but the simulator, such as the addresses of proxies. */
  reroute?(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
}

/** Arguments of a simulator whose loads no test reads: each sample costs it and the database as much as a request. */
export const noHistory = ['--sample-seconds', '3600', '--backfill-minutes', '0'];

/** A database, a simulated cloud and an API, each its own process, on free ports. */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const database = await createTestDatabase();
  const processes: VigilProcess[] = [];
  const env: NodeJS.ProcessEnv = {
    VIGIL_DATABASE_URL: database.url,
    VIGIL_LOG_LEVEL: 'info',
    VIGIL_PORT: '0',
    VIGIL_MIGRATION_POLL_SECONDS: '0.2',
    VIGIL_MODEL_MAX_AGE_SECONDS: '1',
    // Half of all connections are those of probes. Tests of outages set another period.
    VIGIL_GATE_PERIOD_SECONDS: '30',
    ...(options.real ? realServices() : {}),
    ...options.env,
  };
  const start = async (args: string[], more: NodeJS.ProcessEnv = {}) => {
    const started = await startVigil(args, { ...env, ...more });
    processes.push(started);
    return started;
  };
  const stop = async () => {
    for (const started of processes.reverse()) await started.stop();
    await database.drop();
  };
  try {
    const simulator = await start([
      'simulator',
      '--port',
      '0',
      '--sample-seconds',
      '1',
      '--backfill-minutes',
      '2',
      ...(options.simulator ?? []),
    ]);
    Object.assign(env, cloudEnv(simulator.url), options.reroute?.(env));
    const api = await start(['api']);
    const control = controlOf(simulator);
    const sql = async (text: string, values?: unknown[]) => {
      await runSql(env.VIGIL_DATABASE_URL ?? '', text, values);
    };
    return {
      env,
      simulator,
      api,
      client: adminClient(api.url!, simulator.url!),
      issueToken: () => issueToken(simulator.url!),
      start,
      control,
      sql,
      async measureAnew(olderBy = 15) {
        await sql(ageHistory, [olderBy]);
        await control('/sample', {});
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Skips constant properties, which are not reported with every sample. */
const ageHistory = `UPDATE history_blocks SET at = at - $1 * interval '1 minute'
  WHERE metric NOT IN ('instance_ram_allocated', 'instance_root_disk_size')`;

/** The names include the test's id, so that parallel stacks do not interfere. */
function realServices(): NodeJS.ProcessEnv {
  const { VIGIL_TEST_AMQP_URL, VIGIL_TEST_INFLUX_URL } = process.env;
  if (!VIGIL_TEST_AMQP_URL || !VIGIL_TEST_INFLUX_URL)
    throw new Error('VIGIL_TEST_AMQP_URL and VIGIL_TEST_INFLUX_URL are not set');
  const name = `vigil_${randomUUID().slice(0, 8)}`;
  return {
    VIGIL_AMQP_URL: VIGIL_TEST_AMQP_URL,
    VIGIL_AMQP_PREFIX: name,
    VIGIL_INFLUX_URL: `${VIGIL_TEST_INFLUX_URL.replace(/\/$/, '')}/${name}`,
  };
}

/** A client of an API whose users are those of a simulated cloud, as its administrator. */
export function adminClient(
  apiUrl: string,
  simulatorUrl: string,
  options: Pick<VigilClientOptions, 'timeoutMs' | 'signal'> = {},
): VigilClient {
  const domain = { name: 'Default' };
  return createVigilClient({
    ...options,
    url: apiUrl,
    credentials: {
      kind: 'password',
      authUrl: `${simulatorUrl}/identity`,
      userName: 'admin',
      password: 'vigil',
      userDomain: domain,
      projectName: 'admin',
      projectDomain: domain,
    },
  });
}

async function issueToken(simulatorUrl: string): Promise<string> {
  const domain = { name: 'Default' };
  const identity = { methods: ['password'], password: { user: { name: 'admin', password: 'vigil', domain } } };
  const response = await fetch(`${simulatorUrl}/identity/v3/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: { identity, scope: { project: { name: 'admin', domain } } } }),
    signal: AbortSignal.timeout(60_000),
  });
  const token = response.headers.get('x-subject-token');
  if (token === null) throw new Error(`the simulator issued no token: ${response.status}`);
  return token;
}

function controlOf(simulator: VigilProcess) {
  return async <Result>(path: string, body?: object): Promise<Result> => {
    const response = await fetch(`${simulator.url}/simulator${path}`, {
      method: body ? 'POST' : 'GET',
      headers: body ? { 'content-type': 'application/json' } : {},
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? null : await response.json()) as Result;
  };
}
