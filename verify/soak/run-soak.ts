import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, type VigilClient } from '#libs/client';
import { createRandom } from '#libs/domain';
import type { CodePatch } from '../stack/code-patch.ts';
import type { MemberEnd, Role } from '../stack/members.ts';
import type { StackServers } from '../stack/servers.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { createAuditDraw, type SoakAudit } from './audits.ts';
import type { EvidenceFolder } from './evidence.ts';
import { letOperatorsWork, type Operators } from './operators.ts';
import { keepBusy, limitProcessor, type Pressure } from './pressure.ts';
import { type MigrationRecord, type SoakRecord, stateOf } from './record.ts';
import { sampleCloud } from './sample-cloud.ts';
import { sampleResources } from './sample-resources.ts';
import { soakBounds, soakEnvironment, soakOutcomeDelayMs } from './settings.ts';
import { judgeSoak, type SoakVerdict } from './verdict.ts';
import { makeWeather } from './weather.ts';
import { keepWorkLog } from './work-log.ts';
import { soakRoom, soakWorld } from './world.ts';

/** Options of a soak. */
export interface SoakOptions {
  servers: StackServers;
  minutes: number;
  /** Continuous audits. */
  audits: number;
  appliers: number;
  seed: number;
  /** Percent of one core that all processes of Vigil share; 0: no limit. */
  pressure: number;
  /** Endless loops next to the stack. */
  busy: number;
  folder: EvidenceFolder;
  /** Ends the soak early. */
  signal: AbortSignal;
  onProgress(line: string): void;
  /** Changes of the code of processes. Default none. */
  patches?: { [role in Role]?: readonly CodePatch[] };
}

/** Result of a soak. */
export interface SoakResult {
  verdict: SoakVerdict;
  record: SoakRecord;
  operators: Pick<Operators, 'counts' | 'failures'>;
}

const progressEveryMs = 30_000;
/** Delay of each packet between the first applier and the database or broker, in milliseconds. */
const slowApplierDelayMs = 60;
/** Longest wait for started plans at the end. */
const settleLimitMs = 300_000;
const pollMs = 1000;

/** Runs a whole stack under audits, operators and troubles of the cloud, and judges it. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const ends: MemberEnd[] = [];
  const stack = await startStack({
    servers: options.servers,
    name: 'soak',
    simulator: soakWorld(options.seed),
    hasHistory: true,
    members: { api: 1, 'decision-engine': 2, applier: options.appliers, coordinator: 1, scheduler: 1 },
    env: soakEnvironment,
    delays: options.appliers > 1 ? { 'applier-1': slowApplierDelayMs } : {},
    restartMs: () => 1000,
    clientTimeoutMs: 30_000,
    patchesOf: (role) => options.patches?.[role] ?? [],
    onTrouble: options.onProgress,
    onEnd: (end) => ends.push(end),
    onOutput: options.folder.log,
  });
  let pressure: Pressure | undefined;
  try {
    if (options.pressure > 0) pressure = limitProcessor(stack, options.pressure);
    else if (options.busy > 0) pressure = keepBusy(options.busy);
    return await soakOn(stack, ends, options);
  } finally {
    await pressure?.stop();
    await stack.stop();
  }
}

/** Parts of a soak that run until they are stopped. */
type Running = { stop(): Promise<unknown> }[];

async function soakOn(stack: Stack, ends: MemberEnd[], options: SoakOptions): Promise<SoakResult> {
  const running: Running = [];
  try {
    return await soakWith(stack, ends, options, running);
  } finally {
    await Promise.allSettled(running.map((part) => part.stop()));
  }
}

async function soakWith(stack: Stack, ends: MemberEnd[], options: SoakOptions, running: Running): Promise<SoakResult> {
  const startMs = Date.now();
  const { seed, signal } = options;
  const client = stack.clients[0] as VigilClient;
  const services = await stack.cloud.compute.listServices();
  const hosts = services.map(({ host }) => host).sort((one, other) => numberIn(one) - numberIn(other));
  const book = keepWorkLog(client);
  const cloud = sampleCloud(stack);
  const resources = sampleResources(stack);
  running.push(book, cloud, resources);
  const draw = createAuditDraw(client, hosts, createRandom(seed));
  const audits: SoakAudit[] = [];
  for (let place = 0; place < options.audits; place += 1) audits.push(await draw.continuous(place));
  const operators = letOperatorsWork(stack, book, draw, createRandom(seed + 1));
  const weather = makeWeather(stack, hosts, createRandom(seed + 2));
  running.unshift(operators, weather);

  async function recordNow(): Promise<SoakRecord> {
    const { migrations } = await stack.control<{ migrations: MigrationRecord[] }>('/state', null);
    await stack.log.refresh();
    return {
      ...{ plans: book.plans, actions: book.actions, audits: book.audits },
      ...{ migrations, samples: cloud.samples, outages: weather.outages, ends, startMs, endMs: Date.now() },
      requests: [...stack.log.requests()].sort((one, other) => one.number - other.number),
      serviceHosts: new Map(services.map(({ id, host }) => [id, host])),
      scopes: new Map([...audits, ...operators.audits].flatMap((one) => (one.hosts ? [[one.uuid, one.hosts]] : []))),
      resources: resources.samples,
    };
  }
  const judged = async (isSettled: boolean) => {
    const record = await recordNow();
    return { record, verdict: judgeSoak(record, { room: soakRoom, bounds: soakBounds(audits.length), isSettled }) };
  };

  const untilMs = startMs + options.minutes * 60_000;
  while (!signal.aborted && Date.now() < untilMs) {
    const pauseMs = Math.min(progressEveryMs, untilMs - Date.now());
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    const { verdict, record } = await judged(false);
    options.onProgress(progressLine(record, verdict));
  }
  await Promise.all([operators.stop(), weather.stop()]);
  await settle(client, audits, book.plans, options.onProgress);
  const result = await judged(true);
  await Promise.all([book.stop(), cloud.stop(), resources.stop()]);
  return { ...result, operators: { counts: operators.counts, failures: operators.failures } };
}

function numberIn(host: string): number {
  return Number(/\d+$/.exec(host)?.[0] ?? 0);
}

const openStates = new Set(['PENDING', 'ONGOING', 'CANCELLING']);

/** Ends the continuous audits and waits for started plans, their measurements and the hosts that they enable again. */
async function settle(
  client: VigilClient,
  audits: readonly SoakAudit[],
  plans: SoakRecord['plans'],
  onProgress: (line: string) => void,
): Promise<void> {
  onProgress('the audits end; started plans may end');
  for (const { uuid } of audits) {
    const body = [{ op: 'replace', path: '/state', value: 'CANCELLED' }] as never;
    // An audit that has failed cannot be cancelled.
    await dataOf(client.api.PATCH('/v1/audits/{ident}', { params: { path: { ident: uuid } }, body })).catch(() => null);
  }
  const untilMs = Date.now() + settleLimitMs;
  const isOpen = () => [...plans.values()].some((plan) => openStates.has(stateOf(plan)));
  do await sleep(pollMs);
  while (isOpen() && Date.now() < untilMs);
  await sleep(soakOutcomeDelayMs + 40_000);
}

function progressLine({ startMs, endMs, plans }: SoakRecord, { faults, counts }: SoakVerdict): string {
  const minutes = ((endMs - startMs) / 60_000).toFixed(1);
  const open = [...plans.values()].filter((plan) => openStates.has(stateOf(plan))).length;
  const found = Object.entries(faults).flatMap(([name, list]) => (list.length > 0 ? [`${name} ${list.length}`] : []));
  const work = `${counts.plans} plans (${counts.plans_started} started, ${open} open), ${counts.migrations} migrations`;
  return `${minutes} min: ${work}; ${found.length > 0 ? found.join(', ') : 'no faults'}`;
}
