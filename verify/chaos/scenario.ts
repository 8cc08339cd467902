import { setTimeout as sleep } from 'node:timers/promises';
import { actionPlanStateTable, createRandom, isTerminal } from '#libs/domain';
import type { ActionPlanView } from '#libs/store';
import type { Mutation } from '../stack/cloud-log.ts';
import type { CodePatch } from '../stack/code-patch.ts';
import type { Member } from '../stack/members.ts';
import type { StackServers } from '../stack/servers.ts';
import { collectEvents } from './event-collector.ts';
import { sampleLeases } from './lease-samples.ts';
import { moveSpec } from './plan-specs.ts';
import { type ChaosStack, startChaosStack } from './stack.ts';
import { createThings, type Thing } from './things.ts';
import { faultsOf, judge } from './verdict.ts';
import { createWorkload } from './workload.ts';
import { chaosHosts } from './world.ts';

/** One plan with one live migration, and its disturbances. */
export interface Scenario {
  /** Name of the protection, used as the title of its test. */
  protection: string;
  /** Removes the protection. */
  patches: readonly CodePatch[];
  /** Figure of the verdict that exposes its absence. */
  shows: string;
  env?: NodeJS.ProcessEnv;
  /** Time limit of the scenario, in milliseconds from the disturbances. Without the protection the plan never ends. */
  stuckAfterMs?: number;
  play(stage: Stage): Promise<void>;
}

/** Tools of a scenario. Simulated time stands still at the start, so that no migration ends. */
export interface Stage {
  stack: ChaosStack;
  /** Moves the server as another user, to the host that the plan names or to another one. */
  moveAsAnotherUser(where: 'named' | 'elsewhere'): Promise<void>;
  plan(): Promise<ActionPlanView>;
  /** Returns the applier that holds the plan. */
  owner(): Promise<Member>;
  /** Waits until another run than that with `fence` holds the plan, or the plan has ended. */
  takenOver(fence: number | null): Promise<void>;
  /** Waits until the cloud received a request that fits `isMeant`. */
  requested(isMeant: (mutation: Mutation) => boolean): Promise<void>;
  /** Waits until the plan has ended, at most `atMostMs`. All possible damage is done by then. */
  settled(atMostMs: number): Promise<void>;
  resume(): Promise<void>;
}

/** In seconds. Short, because many scenarios wait for the end of a lease. */
export const scenarioLeaseSeconds = 3;
const limitMs = 60_000;
const checkMs = 100;

/** Plays the scenario on a separate stack, with its protection or without. Returns the number of faults by kind. */
export async function playScenario(
  servers: StackServers,
  scenario: Scenario,
  isProtected: boolean,
): Promise<{ faults: Record<string, number>; lines: string[] }> {
  const stack = await startChaosStack({
    servers,
    random: createRandom(1),
    leaseSeconds: scenarioLeaseSeconds,
    onTrouble: () => undefined,
    members: { api: 1, applier: 2 },
    skewed: false,
    env: { ...scenario.env },
    patches: isProtected ? [] : scenario.patches,
  });
  const aborting = new AbortController();
  try {
    const before = await stack.cloud.compute.listServers({});
    const things = await createThings(stack.cloud, createRandom(1));
    const events = await collectEvents(stack.store, aborting.signal);
    const leases = sampleLeases(stack.store, aborting.signal);
    const workload = await createWorkload(stack, things, createRandom(1), aborting.signal);
    const server = things.take('server') as Thing;
    const from = things.stateOf(server).host ?? '';
    const [to = '', elsewhere = ''] = chaosHosts.moving.filter((host) => host !== from);
    const spec = moveSpec({ thing: server, aspect: 'host', from, to });
    await stack.control('/speed', { speed: 0 });
    const endMs = isProtected ? undefined : scenario.stuckAfterMs;
    await workload.perform({ specs: [spec], taken: [server], limitMs, endMs }, async ({ uuid }) => {
      const moveAsAnother: Stage['moveAsAnotherUser'] = (where) =>
        workload.moveAsAnotherUser(server, [spec], where === 'named' ? to : elsewhere);
      await scenario.play(stageOf(stack, uuid, moveAsAnother));
      await stack.control('/speed', { speed: 30 });
    });
    await Promise.all([events.stop(), leases.stop()]);
    const faults = faultsOf(await judge(stack, before, { events, leases, workload, things }));
    return {
      faults: Object.fromEntries(Object.entries(faults).map(([kind, lines]) => [kind, lines.length])),
      lines: Object.entries(faults).flatMap(([kind, lines]) => lines.map((line) => `${kind}: ${line}`)),
    };
  } finally {
    aborting.abort();
    await stack.stop();
  }
}

function stageOf(stack: ChaosStack, uuid: string, moveAsAnotherUser: Stage['moveAsAnotherUser']): Stage {
  const plan = () => stack.store.db.actionPlans.get(uuid);
  const ended = async () => isTerminal(actionPlanStateTable, (await plan()).state);

  /** Returns silently at the limit. The verdict then shows the fault. */
  async function until(holds: () => Promise<boolean>, atMostMs = limitMs / 2): Promise<void> {
    const end = performance.now() + atMostMs;
    while (!(await holds()) && performance.now() < end) await sleep(checkMs);
  }
  return {
    stack,
    moveAsAnotherUser,
    plan,
    settled: (atMostMs) => until(ended, atMostMs),
    async owner() {
      await until(async () => (await plan()).state === 'ONGOING');
      const { hostname } = await plan();
      const found = stack.members.find(({ name }) => name === hostname);
      if (!found) throw new Error(`no applier holds plan ${uuid}`);
      return found;
    },
    takenOver: (fence) => until(async () => (await plan()).fence !== fence || (await ended())),
    requested: (isMeant) =>
      until(async () => {
        await stack.log.refresh();
        return stack.log.mutations().some(isMeant);
      }),
    resume: () => stack.control('/speed', { speed: 30 }),
  };
}
