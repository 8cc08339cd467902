import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomSource } from '#libs/domain';
import { planLaunch } from '#libs/messaging';
import { createMessageBus } from '#libs/messaging/connect';
import { silentLogger } from '#libs/testing';
import type { Member } from './members.ts';
import { type ChaosStack, shortLeaseSeconds } from './stack.ts';

type ProxyName = keyof ChaosStack['proxies'];

/** How something goes away and comes back. */
interface Absence {
  begin(): unknown;
  end(): unknown;
}

const action = '/servers/[^/]+/action';

/** Faults of the simulated cloud; each strikes a few requests, or for a while, and is gone. */
const faults: object[] = [
  { kind: 'latency', milliseconds: 300, jitter_milliseconds: 700, count: 20 },
  { kind: 'error', status: 503, count: 10, match: { service: 'compute' } },
  { kind: 'error', status: 503, count: 3, match: { service: 'identity' } },
  { kind: 'drop', count: 2, match: { service: 'compute', method: 'POST', path: action } },
  { kind: 'reset', count: 2, match: { service: 'compute', method: 'POST', path: action } },
  { kind: 'reset', count: 10, match: { service: 'compute', method: 'GET' } },
  { kind: 'hang', count: 2, milliseconds: 3000, match: { service: 'compute' } },
];

/** Chances of what is done beside each kill. */
const chances = { freeze: 0.15, cut: 0.2, refuse: 0.1, silence: 0.1, fault: 0.4, duplicate: 0.2 };

/** Pause between two kills in milliseconds, from the one to the sum of both; longer leases have longer pauses. */
const pauseMs = { least: 300, more: 1500 };

/**
 * Kills `kills` processes one after the other and makes other trouble in between, all drawn from `random`. Resolves when
 * all is said; frozen processes and closed proxies come back by themselves.
 */
export async function disturb(stack: ChaosStack, kills: number, random: RandomSource): Promise<void> {
  const bus = await createMessageBus({ ...stack.bus, appId: 'chaos', logger: silentLogger });
  const chance = (share: number) => random() < share;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const appliersFirst = [...stack.members, ...stack.members.filter(({ role }) => role === 'applier')];
  const pending: Promise<unknown>[] = [];
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
    if (chance(chances.duplicate)) await duplicateMessage();
  }

  function cut(target: ProxyName): void {
    diary.note(`connections to ${target} cut`);
    proxies[target].cut();
  }

  async function makeFault(fault: object): Promise<void> {
    diary.note(`fault of the cloud: ${JSON.stringify(fault)}`);
    await stack.control('/faults', fault);
  }

  /** Not while the same is going on already: the end of the one would be that of the other. */
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

  try {
    for (let killed = 0; killed < kills; ) {
      await sleep((pauseMs.least + random() * pauseMs.more) * (stack.leaseSeconds / shortLeaseSeconds));
      if (killOne(pick(appliersFirst), stack.members)) killed += 1;
      await besides();
    }
    await Promise.all(pending);
    await stack.control('/faults', null, 'DELETE');
  } finally {
    await bus.close();
  }
}

/** One that is down already can not be killed; another is, when there is one. */
function killOne(wanted: Member, members: readonly Member[]): boolean {
  return wanted.kill() || members.some((member) => member.role === wanted.role && member.kill());
}
