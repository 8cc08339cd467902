import type { ActionPlanView, Store } from '#libs/store';
import { type Loss, type Member, readinessOf } from '../stack/members.ts';
import type { LeaseSamples } from './lease-samples.ts';
import type { ChaosStack } from './stack.ts';

/** A plan that moved from a killed or frozen process to another one. Times are milliseconds of the epoch. */
export interface Takeover {
  plan: string;
  loss: Loss;
  /** Last observed end of the lost lease. Null when it was never observed. */
  leaseEndMs: number | null;
  /** Commit of the successor's claim: it then holds lease and run. */
  claimedMs: number;
  successor: string;
  /** First change of the plan or its actions by the successor. Null when it made none. */
  wroteMs: number | null;
  /** Time from the loss to the claim, all disturbances included. */
  wallSeconds: number;
  /**
   * Longest time between loss and claim in which one and the same applier was up: neither frozen, nor between a kill
   * and its restart. Its start, closed gates, and outages of its dependencies are included.
   */
  seconds: number;
  /**
   * The same, limited to the time in which that applier was ready and the schedule left PostgreSQL available: the share
   * of leases and pollers.
   */
  readySeconds: number;
}

type PlanRun = Awaited<ReturnType<Store['db']['planRuns']['list']>>[number];

/** A line that a process logged. */
interface LogLine {
  time: string;
  level: string;
  msg: string;
  pid: number;
  plan?: string;
  fence?: number;
  [field: string]: unknown;
}

const shown = 3;
const shownReady = 3;
/** Margin of the shown log before the loss and after the first write, in milliseconds. */
const marginMs = 1000;
const mostLines = 100;
/** Lines below `warn` that show which processes could work. */
const relevantMessages = new Set([
  'all dependencies available',
  'dependency available again',
  'registered',
  'action plan taken by the poller',
  'action plan started',
  'connected to RabbitMQ',
]);

/** Returns every take-over of the run, the longest first. A regular handover is no take-over. */
export async function findTakeovers(
  stack: ChaosStack,
  plans: readonly ActionPlanView[],
  leases: LeaseSamples,
): Promise<Takeover[]> {
  const { db } = stack.store;
  const logs = linesOf(stack);
  const appliers = appliersOf(stack).map(({ name }) => name);

  async function placeOf(instance: string): Promise<{ name: string; pid: number }> {
    const found = await db.registry.findInstance(instance);
    if (found === null) throw new Error(`instance ${instance} is not in the registry`);
    return { name: found.host, pid: found.pid };
  }

  function longestPresence(needed: (applier: string) => string[], fromMs: number, toMs: number): number {
    return Math.max(...appliers.map((name) => stack.diary.longestPresenceMs(needed(name), fromMs, toMs))) / 1000;
  }

  async function between(plan: ActionPlanView, former: PlanRun, next: PlanRun): Promise<Takeover[]> {
    const owner = await placeOf(former.instance);
    const loss = lossBetween(stack.losses, owner, former.startedAt.getTime(), next.startedAt.getTime());
    if (loss === null || former.outcome === 'RELEASED') return [];
    // The log line follows the commit. The row holds the start of the transaction.
    const started = logs.find(
      (line) => line.msg === 'action plan started' && line.plan === plan.uuid && line.fence === next.fence,
    );
    const claimedMs = started ? Date.parse(started.time) : next.startedAt.getTime();
    return [
      {
        plan: plan.uuid,
        loss,
        leaseEndMs: leases.endOf(plan.uuid, former.fence)?.getTime() ?? null,
        claimedMs,
        successor: (await placeOf(next.instance)).name,
        wroteMs: await firstWrite(stack, plan, next),
        wallSeconds: (claimedMs - loss.atMs) / 1000,
        seconds: longestPresence((name) => [name], loss.atMs, claimedMs),
        readySeconds: longestPresence((name) => [name, readinessOf(name), 'postgres'], loss.atMs, claimedMs),
      },
    ];
  }

  const found: Takeover[] = [];
  for (const plan of plans) {
    const runs = await db.planRuns.list(plan.id);
    for (const [place, next] of runs.entries()) {
      const former = runs[place - 1];
      if (former) found.push(...(await between(plan, former, next)));
    }
  }
  return found.sort((one, other) => other.seconds - one.seconds);
}

/**
 * Returns the first kill or freeze of the process during a run. A lease is never renewed after a freeze of twice its
 * length.
 */
function lossBetween(
  losses: readonly Loss[],
  owner: { name: string; pid: number },
  fromMs: number,
  toMs: number,
): Loss | null {
  const own = losses.filter(({ name, pid, atMs }) => name === owner.name && pid === owner.pid && atMs <= toMs);
  return own.find(({ atMs }) => atMs >= fromMs) ?? null;
}

async function firstWrite(stack: ChaosStack, plan: ActionPlanView, run: PlanRun): Promise<number | null> {
  const { db } = stack.store;
  const times: number[] = run.endedAt ? [run.endedAt.getTime()] : [];
  for (const attempt of await db.actionAttempts.latestOfPlan(plan.id)) {
    if (attempt.fence === run.fence) times.push(attempt.startedAt.getTime());
  }
  return times.length > 0 ? Math.min(...times) : null;
}

function appliersOf(stack: ChaosStack): Member[] {
  return stack.members.filter(({ role }) => role === 'applier');
}

function linesOf(stack: ChaosStack): (LogLine & { from: string })[] {
  return appliersOf(stack).flatMap((member) =>
    member.outputs().flatMap(({ text, clockOffsetMs }) =>
      text.split('\n').flatMap((line) => {
        // The first line may be incomplete.
        if (!line.startsWith('{') || !line.endsWith('}')) return [];
        const parsed = JSON.parse(line) as LogLine;
        const time = new Date(Date.parse(parsed.time) - clockOffsetMs).toISOString();
        return [{ ...parsed, time, from: member.name }];
      }),
    ),
  );
}

/** Shows how the longest take-overs spent their time. */
export function explainTakeovers(stack: ChaosStack, takeovers: readonly Takeover[]): string[] {
  const logs = linesOf(stack);
  const middle = takeovers[Math.floor(takeovers.length / 2)];
  if (middle === undefined) return ['no plan was taken over'];
  const wall = Math.max(...takeovers.map(({ wallSeconds }) => wallSeconds));
  const ready = Math.max(...takeovers.map(({ readySeconds }) => readySeconds));
  const longestStart = stack.diary.longestAbsenceMs(appliersOf(stack).map(({ name }) => readinessOf(name))) / 1000;
  const frozen = takeovers.filter(({ loss }) => loss.how === 'frozen').length;
  const lines = [
    `${takeovers.length} take-overs, ${frozen} of them from a frozen process, half of all within ${middle.seconds.toFixed(1)} s; ` +
      `${wall.toFixed(1)} s at most with the time in which every applier was killed or frozen again, ` +
      `${ready.toFixed(1)} s at most while an applier was ready and PostgreSQL was there; ` +
      `an applier needed ${longestStart.toFixed(1)} s at most until it was ready again; the longest:`,
  ];
  for (const takeover of longest(takeovers)) {
    const { plan, loss, leaseEndMs, claimedMs, successor, wroteMs } = takeover;
    const after = (ms: number | null) => (ms === null ? 'unknown' : `${((ms - loss.atMs) / 1000).toFixed(1)} s`);
    lines.push(
      `${takeover.seconds.toFixed(1)} s (${takeover.readySeconds.toFixed(1)} s of them ready): plan ${plan}, ${loss.name} ${loss.how} at ${new Date(loss.atMs).toISOString()};` +
        ` lease over after ${after(leaseEndMs)}, claimed by ${successor} after ${after(claimedMs)}, first write ${after(wroteMs)}`,
    );
    const [fromMs, toMs] = [loss.atMs - marginMs, (wroteMs ?? claimedMs) + marginMs];
    const said = logs
      .filter(({ time, level, msg }) => isWithin(Date.parse(time), fromMs, toMs) && isRelevant(level, msg))
      .map((line) => ({
        atMs: Date.parse(line.time),
        text: `${line.from} (${line.pid}): ${line.msg}${detailOf(line)}`,
      }));
    const all = [
      ...said,
      ...stack.diary.between(fromMs, toMs).filter(({ text }) => !/^(api|decision-engine|coordinator)-/.test(text)),
    ].sort((one, other) => one.atMs - other.atMs);
    for (const { atMs, text } of all.slice(0, mostLines)) lines.push(`  ${after(atMs).padStart(8)} ${text}`);
    if (all.length > mostLines) lines.push(`           and ${all.length - mostLines} lines more`);
  }
  return lines;
}

/** Returns the longest by both measures, without duplicates. */
function longest(takeovers: readonly Takeover[]): Takeover[] {
  const byReady = takeovers.toSorted((one, other) => other.readySeconds - one.readySeconds);
  return [...new Set([...byReady.slice(0, shownReady), ...takeovers.slice(0, shown)])];
}

function isWithin(ms: number, fromMs: number, toMs: number): boolean {
  return ms >= fromMs && ms <= toMs;
}

function isRelevant(level: string, msg: string): boolean {
  return level === 'warn' || level === 'error' || relevantMessages.has(msg);
}

function detailOf({ plan, task, dependency, reason, missing, error }: LogLine): string {
  const message = error !== null && typeof error === 'object' && 'message' in error ? error.message : error;
  const fields = { plan, task, dependency, reason, missing, error: message };
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`.slice(0, 160))
    .join('');
}
