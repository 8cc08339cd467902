import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '#libs/domain';
import { startEmbeddedPostgres } from '#libs/service-kit/embedded';
import { createStore } from '#libs/store';
import { type ApiWorld, fillApiWorld } from './api-world.ts';
import { benchArguments } from './arguments.ts';
import { finishBench, rounded } from './report.ts';
import { startVigilProcess } from './vigil-process.ts';

const p99GoalMs = 500;
const memoryGoalBytes = 100 * 1024 * 1024;
const pauseMs = 100;
const limitMs = 30_000;
const mib = 1024 * 1024;

/** Clients of the event stream that count the events they receive. */
interface Clients {
  /** Resolves when every client has the event that contains `mark`. Returns the time of each client. */
  all(mark: string): Promise<number[]>;
  close(): void;
}

/** Measures the time from a write until clients of `/v1/watch` have it, and the memory of one API process for them. */
export async function watchBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, { watchers: 1000, commits: 100 });
  await withApi(numbers.watchers, async (url, databaseUrl, world) => {
    const store = await createStore({ url: databaseUrl, logger: silentLogger });
    const before = await residentBytes(url);
    const startedAt = performance.now();
    const clients = await openClients(url, numbers.watchers, world.audit);
    const openMs = performance.now() - startedAt;
    const latencies: number[] = [];
    try {
      for (let count = 0; count < numbers.commits; count += 1) {
        const mark = `"mark ${count}"`;
        const receivedAt = clients.all(mark);
        const written = performance.now();
        await store.db.audits.update(world.audit, { statusMessage: `mark ${count}` });
        latencies.push(...(await receivedAt).map((at) => at - written));
        await sleep(pauseMs);
      }
      const grown = (await residentBytes(url)) - before;
      latencies.sort((a, b) => a - b);
      const p99 = quantile(latencies, 0.99);
      const results = [
        {
          name: `${numbers.watchers} watchers, ${numbers.commits} commits`,
          deltas: latencies.length,
          p50_ms: rounded(quantile(latencies, 0.5)),
          p99_ms: rounded(p99),
          max_ms: rounded(latencies.at(-1) ?? 0),
          first_state_ms: Math.round(openMs),
          memory_mib: Math.round(grown / mib),
        },
      ];
      const goals = [
        { name: 'p99 from write to client', value: rounded(p99), limit: p99GoalMs, unit: 'ms' },
        { name: 'memory of all watchers', value: Math.round(grown / mib), limit: memoryGoalBytes / mib, unit: 'MiB' },
      ];
      finishBench({ bench: 'watch', results, goals }, { json });
    } finally {
      clients.close();
      await store.close();
    }
  });
}

async function withApi(
  watchers: number,
  task: (url: string, databaseUrl: string, world: ApiWorld) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder, logger: silentLogger });
  try {
    const world = await fillApiWorld(postgres.url);
    const api = await startVigilProcess(['api'], {
      VIGIL_DATABASE_URL: postgres.url,
      VIGIL_PORT: '0',
      VIGIL_AUTH: 'none',
      VIGIL_WATCH_PER_USER: String(watchers + 1),
    });
    try {
      await task(api.url, postgres.url, world);
    } finally {
      await api.stop();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function openClients(url: string, count: number, auditUuid: string): Promise<Clients> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  let mark = '"snapshot"';
  let times: number[] = [];
  let done: () => void = () => undefined;
  const seen = (text: string) => {
    if (!text.includes(mark)) return;
    times.push(performance.now());
    if (times.length === count) done();
  };
  function all(next: string): Promise<number[]> {
    mark = next;
    times = [];
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${times.length} of ${count} clients got the event`)), limitMs);
      done = () => {
        clearTimeout(timer);
        resolve(times);
      };
    });
  }
  const ready = all('event: snapshot');
  for (let index = 0; index < count; index += 1) {
    const path = `/v1/watch?uuids=${auditUuid}`;
    const headers = { accept: 'text/event-stream', 'openstack-api-version': 'infra-optim latest' };
    get(`${url}${path}`, { agent, headers }, (response) => response.setEncoding('utf8').on('data', seen)).on(
      'error',
      () => undefined,
    );
  }
  await ready;
  return { all, close: () => agent.destroy() };
}

async function residentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes\S* (\S+)/m.exec(text)?.[1] ?? 0);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
