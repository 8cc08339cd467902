import { actionPlanStateTable, actionStateTable, auditStateTable, isTerminal } from '#libs/domain';
import type { Server } from '#libs/openstack';
import type { ActionPlanView, ActionView, AuditView } from '#libs/store';
import { isAccepted, type Mutation } from '../stack/cloud-log.ts';
import type { CollectedEvents } from './event-collector.ts';
import { type CloudTruth, falseFailures, foreignAborts, isDisturbed, type MigrationRow } from './failures.ts';
import type { LeaseSamples } from './lease-samples.ts';
import { isMeantToFail } from './plan-specs.ts';
import type { ChaosStack } from './stack.ts';
import { findTakeovers, type Takeover } from './takeovers.ts';
import type { Things } from './things.ts';
import type { Workload } from './workload.ts';

/** All faults, one line each. Empty when everything is correct. */
export interface Verdict {
  plans: number;
  /** Number of plans that undo another one. */
  rollbacks: number;
  actions: number;
  lost: string[];
  duplicated: string[];
  stuck: string[];
  untrue: string[];
  falseFailures: string[];
  foreignAborts: string[];
  lostEvents: string[];
  /** Actions and audits that failed unintentionally, with the reason. Not a fault as such. */
  failed: string[];
  /** Plans of killed or frozen appliers, the longest take-over first. */
  takeovers: Takeover[];
}

/** Faults by kind, under the names of their figures. */
export const faultsOf = (verdict: Verdict) => ({
  lost: verdict.lost,
  duplicated_mutations: verdict.duplicated,
  stuck: verdict.stuck,
  untrue: verdict.untrue,
  false_failures: verdict.falseFailures,
  foreign_aborts: verdict.foreignAborts,
  lost_events: verdict.lostEvents,
});

/** Observations while the stack ran. */
export interface Seen {
  events: CollectedEvents;
  leases: LeaseSamples;
  workload: Workload;
  things: Things;
}

/** Judges the run by the simulated cloud's log and final state. `before` holds the servers at the start. */
export async function judge(stack: ChaosStack, before: readonly Server[], seen: Seen): Promise<Verdict> {
  const { store } = stack;
  await stack.log.refresh();
  const mutations = stack.log.mutations();
  const { migrations } = await stack.control<{ migrations: MigrationRow[] }>('/state', null);
  const { resources } = await stack.control<{ resources: string[] }>('/failures', null);
  const disturbed = seen.workload.disturbed();
  const truth: CloudTruth = { mutations, migrations, disturbed, failedResources: new Set(resources) };
  const plans = await store.db.actionPlans.list({ sortKey: 'id' });
  const actions = await store.db.actions.list({ sortKey: 'id' });
  const audits = await store.db.audits.list();
  const servers = await stack.cloud.compute.listServers({});
  const untrue = seen.workload.untrue();
  return {
    plans: plans.length,
    rollbacks: plans.filter(({ rollsBack }) => rollsBack !== null).length,
    actions: actions.length,
    lost: [...lostEffects(actions, truth), ...(await changedSince(seen))],
    duplicated: duplicates(mutations),
    stuck: [...stuckWork(plans, actions), ...stuckAudits(audits), ...stuckServers(before, servers)],
    untrue: [...untrue.values(), ...untruePlans(plans, actions)],
    // An untrue action counts as untrue, not as a false failure too.
    falseFailures: falseFailures(
      actions.filter(({ uuid }) => !untrue.has(uuid)),
      truth,
    ),
    foreignAborts: foreignAborts(truth),
    lostEvents: lostEvents(mutations, actions, seen.events),
    failed: [...actions.filter((row) => !isMeantToFail(row) && !isDisturbed(row, disturbed)), ...audits].flatMap(
      (row) => (row.state === 'FAILED' ? [`${row.uuid}: ${row.statusMessage}`] : []),
    ),
    takeovers: await findTakeovers(stack, plans, seen.leases),
  };
}

const moves = new Set(['os-migrateLive', 'migrate', 'resize']);

/** Returns requests that were repeated after their success, and moves that were made twice. */
export function duplicates(mutations: readonly Mutation[]): string[] {
  const done = new Map<string, Mutation[]>();
  const moved = new Map<string, number>();
  return mutations.flatMap((mutation) => {
    const { action, what, request } = mutation;
    // A move back requests another host. Its confirmation belongs to another move.
    const round = what === 'confirmResize' ? moved.get(action) : JSON.stringify(request.body);
    const key = `${action} ${what} ${round}`;
    const earlier = done.get(key) ?? [];
    const isTwice = isAccepted(mutation) && moves.has(what) && earlier.length > 0;
    const isAgain = earlier.some((one) => one.request.doneAt !== null && one.request.doneAt < request.at);
    if (isAccepted(mutation)) {
      done.set(key, [...earlier, mutation]);
      if (moves.has(what)) moved.set(action, (moved.get(action) ?? 0) + 1);
    }
    return isTwice || isAgain ? [`request ${request.number}: ${key} again`] : [];
  });
}

const requestsFor: Record<string, string[]> = {
  migrate: ['os-migrateLive', 'migrate'],
  resize: ['resize'],
  stop: ['os-stop'],
  volume_migrate: ['os-migrate_volume'],
  change_node_power_state: ['PUT'],
  change_nova_service_state: ['PUT'],
};

/** Returns successes that the cloud did not see, and requests that their actions do not know. */
function lostEffects(actions: readonly ActionView[], { mutations, disturbed }: CloudTruth): string[] {
  const requested = new Set(mutations.filter(isAccepted).map(({ action, what }) => `${action} ${what}`));
  const known = new Map(actions.map((row) => [row.uuid, row]));
  const unseen = actions.flatMap((row) => {
    const { uuid, state, actionType } = row;
    // Another user may have moved it to the same host.
    if (isDisturbed(row, disturbed)) return [];
    const effects = requestsFor[actionType];
    const isSeen = !effects || state !== 'SUCCEEDED' || effects.some((what) => requested.has(`${uuid} ${what}`));
    return isSeen ? [] : [`action ${uuid} (${actionType}) SUCCEEDED without a request`];
  });
  const unreported = mutations.filter(isAccepted).flatMap(({ action, what }) => {
    const row = known.get(action);
    return row && row.startedAt !== null ? [] : [`${what} of action ${action}, which is ${row?.state ?? 'not stored'}`];
  });
  return [...unseen, ...unreported];
}

/** Returns things that changed after the end of their last plan. */
async function changedSince({ things, workload }: Seen): Promise<string[]> {
  const lines: string[] = [];
  for (const thing of workload.settled()) {
    const expected = JSON.stringify(things.stateOf(thing));
    const found = await things.read(thing, () => false);
    // A thing that does not settle is stuck.
    if (found && JSON.stringify(found) !== expected) {
      lines.push(`${thing.kind} ${thing.id} is ${JSON.stringify(found)}, was ${expected} after its last plan`);
    }
  }
  return lines;
}

/** Returns plans whose end state does not fit their actions. */
export function untruePlans(plans: readonly ActionPlanView[], actions: readonly ActionView[]): string[] {
  const byPlan = new Map<number, ActionView[]>();
  for (const row of actions) byPlan.set(row.actionPlanId, [...(byPlan.get(row.actionPlanId) ?? []), row]);
  return plans.flatMap(({ id, uuid, state, statusMessage }) => {
    const hasFailed = (byPlan.get(id) ?? []).some((row) => row.state === 'FAILED');
    if (state === 'SUCCEEDED' && hasFailed) return [`plan ${uuid} SUCCEEDED with a FAILED action`];
    if (state === 'FAILED' && !hasFailed) return [`plan ${uuid} FAILED without a FAILED action (${statusMessage})`];
    return [];
  });
}

function stuckWork(plans: readonly ActionPlanView[], actions: readonly ActionView[]): string[] {
  const open = plans.flatMap(({ uuid, state, statusMessage }) =>
    isTerminal(actionPlanStateTable, state) ? [] : [`plan ${uuid} is ${state} (${statusMessage})`],
  );
  const running = actions.flatMap(({ uuid, state }) =>
    isTerminal(actionStateTable, state) ? [] : [`action ${uuid} is ${state}`],
  );
  const undoing = [...plans, ...actions].flatMap(({ uuid, rollbackState }) =>
    rollbackState === 'ONGOING' ? [`the rollback of ${uuid} is ONGOING`] : [],
  );
  return [...open, ...running, ...undoing];
}

function stuckAudits(audits: readonly AuditView[]): string[] {
  return audits.flatMap(({ uuid, state }) => (isTerminal(auditStateTable, state) ? [] : [`audit ${uuid} is ${state}`]));
}

function stuckServers(before: readonly Server[], after: readonly Server[]): string[] {
  const former = new Map(before.map(({ uuid, status }) => [uuid, status]));
  return after.flatMap(({ uuid, status, taskState }) => {
    const isSettled = taskState === null && status === former.get(uuid);
    return isSettled ? [] : [`server ${uuid} is ${status}, task ${taskState}`];
  });
}

/** The stream must report the start and the end of every action that changed the cloud. */
function lostEvents(mutations: readonly Mutation[], actions: readonly ActionView[], events: CollectedEvents): string[] {
  const changed = new Set(mutations.filter(isAccepted).map(({ action }) => action));
  const finals = new Map(actions.map(({ uuid, state }) => [uuid, state]));
  const unreported = [...changed].flatMap((action) => {
    const reported = events.statesOf(action);
    const isTold = reported.includes('ONGOING') && reported.at(-1) === finals.get(action);
    return isTold ? [] : [`of action ${action} only ${reported.join(', ')} was told`];
  });
  const gaps = events.gaps();
  return gaps === 0 ? unreported : [...unreported, `${gaps} numbers are missing in the stream`];
}
