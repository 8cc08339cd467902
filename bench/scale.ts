import { setTimeout as pause } from 'node:timers/promises';
import { type Action, type ActionPlan, dataOf, VigilApiError, type VigilClient } from '#libs/client';
import { type DayAudit, parseAudits } from '../services/decision-engine/replay/audits.ts';
import { benchArguments } from './arguments.ts';
import { pageRequests } from './page-requests.ts';
import type { ProcessCosts } from './process-costs.ts';
import { type BenchGoal, type BenchResult, finishBench, median, rounded } from './report.ts';
import { type ScaleStack, withScaleStack } from './scale-stack.ts';

const defaults = { hosts: 5000, instances: 0, moves: 500, reads: 5 };
const defaultAudits = 'vm_workload_consolidation,balance_optimizer:preset=even';
const instancesPerHost = 20;
const engine = 'decision-engine';
const engineLimitMb = 1200;
const mb = 1e6;
/** Requests for the first model, and the pause between them in milliseconds. */
const [mostTries, triesPauseMs] = [200, 2000];

/** Part of the bench. */
type Part = 'up' | 'audits' | 'plan' | 'pages';

/** Costs of a piece of work: seconds, and processor time by process in seconds. */
interface Costs {
  seconds: number;
  processor: Record<string, number>;
}

interface Measured extends Costs {
  part: Part;
  result: BenchResult;
}

/**
 * Measures a `vigil up` on a simulated cloud of `--hosts` with `--instances` (default: 20 a host): the start, each of
 * `--audits` to its plan, the execution of the last plan with at most `--moves` migrations, and `--reads` of each page
 * of the dashboard, by their requests. Reports processor time and peak memory of each process.
 * @throws InvalidInputError
 */
export async function scaleBench(args: string[]): Promise<void> {
  const { json, numbers, texts } = benchArguments(args, defaults, [], ['audits']);
  const { hosts, moves, reads } = numbers;
  const audits = parseAudits(texts.audits ?? defaultAudits);
  const instances = numbers.instances || instancesPerHost * hosts;
  await withScaleStack({ hosts, instances, moves }, async (stack) => {
    const measured: Measured[] = [await measureStart(stack)];
    let last: { audit: string; plan: ActionPlan; actions: Action[] } | undefined;
    for (const audit of audits) {
      const { made, ...costs } = await measureAudit(stack, audit);
      measured.push(costs);
      if (made.actions.some(isMigration)) last = made;
    }
    if (last === undefined) throw new Error('no audit has proposed a migration; other --audits do');
    measured.push(await measurePlan(stack, last.plan.uuid));
    const { input_parameters: input } = last.actions.find(isMigration) as Action;
    const { resource_id: instance, source_node: host } = input as Record<string, string>;
    const subjects = { host: host ?? '', instance: instance ?? '', audit: last.audit, plan: last.plan.uuid };
    measured.push(...(await measurePages(stack, subjects, reads)));
    const costs = stack.processes.costs();
    const results = [...measured.map(({ result }) => result), ...processResults(costs, measured)];
    finishBench({ bench: 'scale', results, goals: goalsOf(costs) }, { json });
  });
}

function isMigration({ action_type: type }: Action): boolean {
  return type === 'migrate';
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Rounded sum. */
function total(processor: Record<string, number>): number {
  return rounded(
    Object.values(processor).reduce((sum, seconds) => sum + seconds, 0),
    2,
  );
}

function sayCosts(name: string, { seconds, processor }: Costs, { processes }: ScaleStack): void {
  const peak = rounded((processes.costs()[engine]?.peakBytes ?? 0) / mb);
  say(`${name}: ${rounded(seconds)} s, ${total(processor)} s of processor time; peak of ${engine} ${peak} MB`);
}

async function costsOf<Result>(
  { processes }: ScaleStack,
  work: () => Promise<Result>,
): Promise<Costs & { value: Result }> {
  const before = processes.costs();
  const begin = performance.now();
  const value = await work();
  const seconds = (performance.now() - begin) / 1000;
  const processor = Object.fromEntries(
    Object.entries(processes.costs()).map(([name, { processorSeconds }]) => [
      name,
      processorSeconds - (before[name]?.processorSeconds ?? 0),
    ]),
  );
  return { value, seconds, processor };
}

async function measureStart(stack: ScaleStack): Promise<Measured> {
  const processor = Object.fromEntries(
    Object.entries(stack.processes.costs()).map(([name, { processorSeconds }]) => [name, processorSeconds]),
  );
  const costs = { seconds: stack.readySeconds, processor };
  sayCosts('up', costs, stack);
  const { value: totals, ...first } = await costsOf(stack, () => firstTotals(stack));
  sayCosts('first model', first, stack);
  const { hosts, instances } = totals;
  const together = { ...rowOf('up', costs), hosts, instances, first_model_s: rounded(first.seconds, 2) };
  return { part: 'up', result: together, ...costs };
}

/** The size of the cloud. Waits for the first model. @throws VigilApiError */
async function firstTotals({ client }: ScaleStack): Promise<{ hosts: number; instances: number }> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { totals } = await client.internal<{ totals: { hosts: number; instances: number } }>(
        'GET',
        '/cluster/summary?hosts=false',
      );
      return totals;
    } catch (error) {
      if (!(error instanceof VigilApiError) || tries === mostTries) throw error;
      await pause(triesPauseMs);
    }
  }
}

function rowOf(name: string, { seconds, processor }: Costs): BenchResult {
  return { name, seconds: rounded(seconds, 2), processor_s: total(processor) };
}

/** A ONESHOT audit from its request to its plan. @throws Error when it fails */
async function measureAudit(
  stack: ScaleStack,
  { text, goalName: goal, strategyName: strategy, parameters }: DayAudit,
): Promise<Measured & { made: { audit: string; plan: ActionPlan; actions: Action[] } }> {
  const { client } = stack;
  say(`audit ${text} runs`);
  const { value: made, ...costs } = await costsOf(stack, async () => {
    const body = { audit_type: 'ONESHOT', goal, strategy, parameters };
    const created = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
    const audit = await client.waitForAudit(created.uuid, { pollMs: 250 });
    const [plan] = await client.list('action_plans', { filters: { audit_uuid: audit.uuid } });
    if (plan === undefined) throw new Error(`audit ${text} is ${audit.state}: ${audit.status_message ?? 'no plan'}`);
    return { audit: audit.uuid, plan };
  });
  const name = `audit ${text}`;
  sayCosts(name, costs, stack);
  const actions = await client.list('actions', { filters: { action_plan_uuid: made.plan.uuid } });
  const result = { ...rowOf(name, costs), actions: actions.length, migrations: actions.filter(isMigration).length };
  return { part: 'audits', result, made: { ...made, actions }, ...costs };
}

/** @throws Error when the plan does not succeed */
async function measurePlan(stack: ScaleStack, uuid: string): Promise<Measured> {
  const { client } = stack;
  const { value: actions, ...costs } = await costsOf(stack, async () => {
    await dataOf(client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: uuid } }, body: {} }));
    const plan = await client.waitForActionPlan(uuid, {
      onProgress: ({ ended, actions }) => void process.stderr.write(`\r${ended} of ${actions.length} actions ended `),
    });
    say('');
    if (plan.state !== 'SUCCEEDED') throw new Error(`the plan is ${plan.state}: ${plan.status_message ?? ''}`);
    return client.list('actions', { filters: { action_plan_uuid: uuid } });
  });
  sayCosts('plan', costs, stack);
  const ended = actions.filter(({ state }) => state === 'SUCCEEDED').length;
  return { part: 'plan', result: { ...rowOf('plan', costs), actions: actions.length, ended }, ...costs };
}

async function measurePages(
  stack: ScaleStack,
  subjects: Parameters<typeof pageRequests>[0],
  reads: number,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [page, requests] of Object.entries(pageRequests(subjects))) {
    const { value: times, ...costs } = await costsOf(stack, () => readPage(stack.client, requests, reads));
    const name = `page ${page}`;
    const result = {
      name,
      requests: requests.length,
      first_ms: rounded(times[0] ?? Number.NaN),
      median_ms: rounded(median(times)),
      processor_ms: rounded((1000 * ownSeconds(costs)) / reads),
    };
    measured.push({ part: 'pages', result, ...costs });
  }
  say(`${measured.length} pages read ${reads} times`);
  return measured;
}

/** Milliseconds of each read. */
async function readPage(
  client: VigilClient,
  requests: readonly ((client: VigilClient) => Promise<unknown>)[],
  reads: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let read = 0; read < reads; read += 1) {
    const begin = performance.now();
    await Promise.all(requests.map((send) => send(client)));
    times.push(performance.now() - begin);
  }
  return times;
}

/** Processor time of the processes that serve a page. */
function ownSeconds({ processor }: Costs): number {
  return (processor.api ?? 0) + (processor[engine] ?? 0);
}

/** A row for each process: its peak, and its processor time by parts. */
function processResults(costs: Record<string, ProcessCosts>, measured: readonly Measured[]): BenchResult[] {
  return Object.entries(costs).map(([name, { processorSeconds, peakBytes }]) => {
    const ofPart = (part: Part) =>
      rounded(
        measured.reduce((sum, costs) => sum + (costs.part === part ? (costs.processor[name] ?? 0) : 0), 0),
        2,
      );
    return {
      name: `process ${name}`,
      processor_s: rounded(processorSeconds, 2),
      up_s: ofPart('up'),
      audits_s: ofPart('audits'),
      plan_s: ofPart('plan'),
      pages_s: ofPart('pages'),
      ...(peakBytes === null ? {} : { peak_mb: rounded(peakBytes / mb) }),
    };
  });
}

/** Limits for at most 5,000 hosts with 100,000 instances. */
function goalsOf(costs: Record<string, ProcessCosts>): BenchGoal[] {
  const peak = rounded((costs[engine]?.peakBytes ?? Number.NaN) / mb);
  return [{ name: `peak memory of ${engine}`, value: peak, limit: engineLimitMb, unit: 'MB' }];
}
