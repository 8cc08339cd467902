import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '#libs/domain';
import { startEmbeddedPostgres } from '#libs/service-kit/embedded';
import { type ApiWorld, fillApiWorld } from './api-world.ts';
import { benchArguments } from './arguments.ts';
import { createHttpLoad, type HttpLoad, type LoadResult } from './http-load.ts';
import { type BenchGoal, type BenchResult, finishBench, median, rounded } from './report.ts';
import { withSimulatedCloud } from './simulator-process.ts';
import { startVigilProcess } from './vigil-process.ts';

const pageSize = 20;
/** Waits until the database has statistics of the inserted rows, as it has for tables that grow slowly. */
const statisticsMs = 5000;
const warmUpSeconds = 2;
const listGoal = 3000;
const p99GoalMs = 20;
/** Share of the requests after which memory counts as settled. */
const memoryWarmUpRatio = 0.2;
const memoryGoalRatio = 1.15;
const depthGoalRatio = 1.5;
const depthPages = 50;

interface Part {
  results: BenchResult[];
  goals: BenchGoal[];
}

/** Requests per second and time of the API's reads: one API process, its own database, the simulated Keystone. */
export async function apiBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, { seconds: 5, connections: 16, requests: 100_000 });
  await withApi(numbers.connections, async (load, world) => {
    const yardstick = await load.repeat('/healthz', ({ seconds }) => seconds >= warmUpSeconds);
    const speed = await measureSpeed(load, world, numbers.seconds);
    const depth = await measureDepth(load, numbers.seconds);
    const memory = await measureMemory(load, numbers.requests);
    const results = [
      resultOf('baseline: GET /healthz', yardstick),
      ...[speed, depth, memory].flatMap((part) => part.results),
    ];
    const goals = [speed, depth, memory].flatMap((part) => part.goals);
    finishBench({ bench: 'api', results, goals }, { json });
  });
}

async function withApi(connections: number, task: (load: HttpLoad, world: ApiWorld) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-bench-'));
  const settings = { autovacuum_naptime: '1s' };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings, logger: silentLogger });
  try {
    const world = await fillApiWorld(postgres.url);
    await sleep(statisticsMs);
    await withSimulatedCloud('azure2017-40', async (cloud, cloudEnv) => {
      const env = { ...cloudEnv, VIGIL_DATABASE_URL: postgres.url, VIGIL_PORT: '0' };
      const api = await startVigilProcess(['api'], env);
      const headers = {
        'x-auth-token': await cloud.identity.token(),
        accept: 'application/json',
        'openstack-api-version': 'infra-optim latest',
      };
      const load = await createHttpLoad(api.url, headers, connections);
      try {
        await task(load, world);
      } finally {
        load.close();
        await api.stop();
      }
    });
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function resultOf(name: string, { requests, perSecond, p50Ms, p99Ms }: LoadResult): BenchResult {
  return {
    name,
    requests,
    per_second: Math.round(perSecond),
    p50_ms: rounded(p50Ms, 2),
    p99_ms: rounded(p99Ms, 2),
  };
}

async function measureSpeed(load: HttpLoad, world: ApiWorld, seconds: number): Promise<Part> {
  const collections = [
    { name: 'audits', uuid: world.audit },
    { name: 'action_plans', uuid: world.actionPlan },
    { name: 'actions', uuid: world.action },
  ];
  const part: Part = { results: [], goals: [] };
  for (const { name, uuid } of collections) {
    const paths = [`/v1/${name}?limit=${pageSize}`, `/v1/${name}/detail?limit=${pageSize}`, `/v1/${name}/${uuid}`];
    for (const [index, path] of paths.entries()) {
      await load.repeat(path, (progress) => progress.seconds >= warmUpSeconds / 2);
      const run = await load.repeat(path, (progress) => progress.seconds >= seconds);
      const title = `GET ${path.replace(uuid, '{uuid}')}`;
      part.results.push(resultOf(title, run));
      part.goals.push({ name: `${title}, p99`, value: rounded(run.p99Ms), limit: p99GoalMs, unit: 'ms' });
      if (index > 0) continue;
      part.goals.push({ name: title, value: Math.round(run.perSecond), limit: listGoal, unit: '/s', atLeast: true });
    }
  }
  return part;
}

/**
 * Follows `next` through all actions and compares the last pages with the first. Then requests all pages again, so that
 * no two requests in progress are equal.
 */
async function measureDepth(load: HttpLoad, seconds: number): Promise<Part> {
  const times: number[] = [];
  const paths: string[] = [];
  let rows = 0;
  for (let path: string | null = `/v1/actions?limit=${pageSize}`; path !== null; ) {
    const { body, ms } = await load.get(path);
    times.push(ms);
    paths.push(path);
    const page = JSON.parse(body) as { actions: object[]; next?: string };
    rows += page.actions.length;
    path = page.next === undefined ? null : new URL(page.next).pathname + new URL(page.next).search;
  }
  const first = median(times.slice(1, depthPages + 1));
  const last = median(times.slice(-depthPages - 1, -1));
  const ratio = rounded(last / first, 2);
  const mixed = await load.repeat(paths, (progress) => progress.seconds >= seconds);
  return {
    results: [
      { name: 'paging, first pages', rows, pages: times.length, p50_ms: rounded(first, 2) },
      { name: 'paging, last pages', rows, pages: times.length, p50_ms: rounded(last, 2), to_first_ratio: ratio },
      resultOf('pages, each another', mixed),
    ],
    goals: [{ name: 'paging, last pages to first', value: ratio, limit: depthGoalRatio, unit: 'ratio' }],
  };
}

/** Memory of the API process before and after `count` lists. */
async function measureMemory(load: HttpLoad, count: number): Promise<Part> {
  const path = `/v1/audits?limit=${pageSize}`;
  await load.repeat(path, ({ requests }) => requests >= count * memoryWarmUpRatio);
  const before = await residentMib(load);
  const run = await load.repeat(path, ({ requests }) => requests >= count);
  const after = await residentMib(load);
  return {
    results: [{ ...resultOf('memory', run), before_mib: rounded(before), after_mib: rounded(after) }],
    goals: [
      { name: `memory after ${count} lists`, value: rounded(after / before, 2), limit: memoryGoalRatio, unit: 'ratio' },
    ],
  };
}

async function residentMib(load: HttpLoad): Promise<number> {
  const { body } = await load.get('/metrics');
  const bytes = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(body)?.[1];
  if (bytes === undefined) throw new Error('the API does not report its memory');
  return Number(bytes) / 2 ** 20;
}
