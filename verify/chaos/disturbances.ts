import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RandomSource, silentLogger } from '#libs/domain';
import { planLaunch } from '#libs/messaging';
import { createMessageBus } from '#libs/messaging/connect';
import { withTimeLimit } from '#libs/service-kit';
import type { Member } from '../stack/members.ts';
import { createServerTroubles } from './server-troubles.ts';
import { type ChaosStack, shortLeaseSeconds } from './stack.ts';

type ProxyName = keyof ChaosStack['proxies'];

/** Starts and ends an outage. */
interface Absence {
  begin(): unknown;
  end(): unknown;
}

const posts = { service: 'compute', method: 'POST', path: '/servers/[^/]+/action' };
const changes = { path: '/action$|/states/power$|/os-services/.' };

/**
 * Faults of the simulated cloud for leases of `lease` milliseconds. Each fault affects a few requests or a short
 * period.
 */
const faultsOf = (lease: number): object[] => [
  { kind: 'latency', milliseconds: 300, jitter_milliseconds: 700, count: 20 },
  { kind: 'latency', milliseconds: lease, jitter_milliseconds: 2 * lease, count: 2, match: posts },
  { kind: 'late', milliseconds: lease, jitter_milliseconds: 2 * lease, count: 1, match: posts },
  { kind: 'late', milliseconds: 500, jitter_milliseconds: lease, cut_milliseconds: 400, count: 2, match: changes },
  { kind: 'error', status: 503, count: 10, match: { service: 'compute' } },
  { kind: 'error', status: 503, retry_after: 1, count: 3, match: { service: 'volume' } },
  { kind: 'error', status: 503, count: 3, match: { service: 'baremetal' } },
  { kind: 'error', status: 503, count: 3, match: { service: 'identity' } },
  { kind: 'error', status: 429, retry_after: 1, count: 5, match: { service: 'compute' } },
  { kind: 'error', status: 429, retry_after: 1, count: 1, match: posts },
  { kind: 'drop', count: 2, match: changes },
  { kind: 'reset', count: 2, match: changes },
  { kind: 'reset', count: 10, match: { service: 'compute', method: 'GET' } },
  { kind: 'hang', count: 2, milliseconds: 3000, match: { service: 'compute' } },
  { kind: 'hang', count: 1, milliseconds: 2 * lease, match: posts },
  { kind: 'migration-error', count: 1 },
  { kind: 'volume-error', count: 1 },
  { kind: 'power-error', count: 1 },
];

/** Probabilities of further disturbances with each kill. */
const chances = { freeze: 0.15, cut: 0.2, refuse: 0.1, silence: 0.1, fault: 0.5, duplicate: 0.2, rollback: 0.25 };

/**
 * Pause between two kills, in milliseconds, for the shortest lease: `least` plus up to `more`. Scaled with the lease.
 */
const pauseMs = { least: 300, more: 1500 };

/** Longest database query before a kill, in milliseconds. */
const checkMs = 300;

/** Longest wait for a ready stack, in leases, and the interval of the checks, in milliseconds. */
const standingLeases = 12;
const standingPollMs = 50;

/** Options of a schedule. */
export interface DisturbanceOptions {
  /** Number of processes to kill. */
  kills: number;
  random: RandomSource;
  /** Called after each kill. `signal` fires when the run ends early. */
  onKill(killed: number, serverTroubles: number): void;
  signal: AbortSignal;
}

/**
 * Kills `kills` processes in sequence, with other disturbances between them, all drawn from `random`. Resolves with
 * the counts when all disturbances are over. Frozen processes and closed proxies recover automatically.
 */
export async function disturb(
  stack: ChaosStack,
  { kills, random, onKill, signal }: DisturbanceOptions,
): Promise<{ killed: number; serverTroubles: number }> {
  const bus = await createMessageBus({ ...stack.bus, appId: 'chaos', logger: silentLogger });
  const chance = (share: number) => random() < share;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const appliersFirst = [...stack.members, ...stack.members.filter(({ role }) => role === 'applier')];
  const pending: Promise<unknown>[] = [];
  const faults = faultsOf(stack.leaseSeconds * 1000);
  const servers = createServerTroubles(stack, random);
  const absences = new Set<string>();
  const { diary, proxies } = stack;

  async function duplicateMessage(): Promise<void> {
    const plans = await stack.store.db.actionPlans.list({ sortKey: 'id', sortDir: 'desc', limit: 20 });
    const plan = plans.length > 0 ? pick(plans) : null;
    if (!plan) return;
    const body = { schema: 'plan.launch/1', plan_uuid: plan.uuid, launch_seq: plan.launchSeq || 1, requested_by: null };
    const timestamp = new Date().toISOString();
    await bus.publish([{ messageId: randomUUID(), type: planLaunch.type, body, attempt: 0, timestamp }]);
  }

  async function besides(): Promise<void> {
    const target = pick(['postgres', 'rabbitmq'] as const);
    const frozen = pick(stack.members);
    if (chance(chances.freeze)) frozen.freeze(2 * stack.leaseSeconds * 1000);
    if (chance(chances.cut)) cut(target);
    if (chance(chances.refuse)) pending.push(refuseFor(target, 500 + random() * 2500));
    if (chance(chances.silence)) pending.push(silenceFor(target, 500 + random() * 2500));
    if (chance(chances.fault)) await makeFault(pick(faults));
    // Database and broker may be unavailable.
    if (chance(chances.duplicate)) pending.push(duplicateMessage().catch(() => undefined));
    servers.draw();
  }

  function cut(target: ProxyName): void {
    diary.note(`connections to ${target} cut`);
    proxies[target].cut();
  }

  async function makeFault(fault: object): Promise<void> {
    diary.note(`fault of the cloud: ${JSON.stringify(fault)}`);
    await stack.control('/faults', fault);
  }

  /** Skips an outage that already runs, because the end of one would end both. */
  async function awayFor(target: ProxyName, how: string, ms: number, { begin, end }: Absence): Promise<void> {
    const name = `${target} ${how}`;
    if (absences.has(name)) return;
    absences.add(name);
    const isBack = diary.away(target, how);
    await begin();
    await sleep(ms);
    await end();
    absences.delete(name);
    isBack();
  }

  function refuseFor(target: ProxyName, ms: number): Promise<void> {
    const { refuse, accept } = proxies[target];
    return awayFor(target, 'refuses connections', ms, { begin: refuse, end: accept });
  }

  function silenceFor(target: ProxyName, ms: number): Promise<void> {
    const { freeze, resume } = proxies[target];
    return awayFor(target, 'is silent', ms, { begin: freeze, end: resume });
  }

  /** Returns an applier that undoes a plan, if one exists and chance selects it. Otherwise any process. */
  async function victim(): Promise<Member> {
    const anyone = pick(appliersFirst);
    if (!chance(chances.rollback)) return anyone;
    const filters = [{ field: 'rollbackState' as const, value: 'ONGOING' }];
    // The database may be unavailable. The kill does not wait for it.
    const undoing = stack.store.db.actionPlans.list({ filters, limit: 1 }).catch(() => []);
    const plans = await withTimeLimit(undoing, checkMs, () => []);
    return stack.members.find(({ name }) => name === plans[0]?.hostname) ?? anyone;
  }

  let killed = 0;
  try {
    while (killed < kills && !signal.aborted) {
      servers.check();
      await standing(stack.members, standingLeases * stack.leaseSeconds * 1000, signal);
      await sleep((pauseMs.least + random() * pauseMs.more) * (stack.leaseSeconds / shortLeaseSeconds));
      if (killOne(await victim(), stack.members)) killed += 1;
      await besides();
      onKill(killed, servers.count());
    }
    await Promise.all(pending);
    await servers.over();
    await stack.control('/faults', null, 'DELETE');
  } finally {
    await Promise.allSettled([...pending, servers.over()]);
    await bus.close();
  }
  return { killed, serverTroubles: servers.count() };
}

/**
 * Resolves when one process of each role is ready. Kills of starting processes interrupt no work, and a slow machine
 * would never finish a start. Resolves after `limitMs` in any case, so that a process that cannot start does not end
 * the schedule.
 */
export async function standing(
  members: readonly Pick<Member, 'role' | 'isUp'>[],
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + limitMs;
  const kinds = new Set(members.map(({ role }) => role));
  const stands = () => [...kinds].every((kind) => members.some(({ role, isUp }) => role === kind && isUp()));
  while (!stands() && !signal.aborted && performance.now() < end) await sleep(standingPollMs);
}

/**
 * Kills the wanted process. If it is already down, kills another of its role or any other, so that no turn is wasted.
 */
function killOne(wanted: Member, members: readonly Member[]): boolean {
  const ofItsKind = members.filter(({ role }) => role === wanted.role);
  return wanted.kill() || [...ofItsKind, ...members].some((member) => member.kill());
}
