import type { ApiAction, ApiMeasurement, ApiPlan } from './api-plan.ts';
import {
  clusterOf,
  deviationOf,
  isSaturated,
  type ShownQuantity,
  shareOf,
  shownQuantities,
  spreadOf,
} from './cloud-numbers.ts';
import type { MadePlan } from './make-plan.ts';
import type { CloudState } from './simulated-cloud.ts';

/** Largest difference between a number of Vigil and the cloud: one point, and 0.06 for the rounding of both. */
const tolerance = 1.06;

/** Numbers that were compared with the cloud, and those that differ. */
export interface TruthVerdict {
  compared: number;
  untrue: string[];
}

/** The deviation that a strategy evens out, in its unit, as the judge computes it. Undefined for other strategies. */
function goalOf({ strategy, indicators }: ApiPlan, state: CloudState): number | undefined {
  if (cpuStrategies.has(strategy))
    return state.hosts.some(isSaturated) ? undefined : spreadOf(state, 'cpu_load').deviation / 100;
  if (strategy !== 'allocation_balance') return undefined;
  const { unit } = indicators.find(({ name }) => name === goalDeviation) ?? {};
  if (unit === 'fraction') return spreadOf(state, 'memory').deviation / 100;
  const used = state.hosts.filter(({ enabled, alive }) => enabled && alive);
  return deviationOf(used.map(({ instances }) => instances));
}

const goalDeviation = 'standard_deviation_before_audit';
const cpuStrategies = new Set(['workload_stabilization', 'workload_balance']);

/** Compares every number before and after a plan with the simulated cloud at that time. */
export function judgeTruth(made: MadePlan, plan: ApiPlan): TruthVerdict {
  const verdict: TruthVerdict = { compared: 0, untrue: [] };
  const compare = (name: string, value: number | null | undefined, truth: number, most = tolerance) => {
    if (value === null || value === undefined) return;
    verdict.compared += 1;
    const isTrue = Math.abs(value - truth) <= most;
    if (!isTrue) verdict.untrue.push(`${name} is ${rounded(value)}, the cloud had ${rounded(truth)}`);
  };
  const differ = (name: string, value: string | null | undefined, truth: string | undefined) => {
    verdict.compared += 1;
    if (value !== truth) verdict.untrue.push(`${name} is ${value}, the cloud had ${truth}`);
  };
  compareHosts(plan, made.planned, compare);
  compareRoutes(plan, made, differ);
  differ('start of the window', isoOf(plan.holdUntil), isoOf(made.holdUntil));
  compareChanges(plan, made.planned, compare);
  const planned = plan.indicators.find(({ name }) => name === goalDeviation)?.value;
  compareGoal('planned', plan, planned, made.planned, compare);
  if (made.before) compareMeasured('before', plan, plan.before, made.before, compare);
  const last = made.after ?? made.planned;
  compareUses('today', plan, last, compare);
  if (plan.unplaced === 0) compareUses('so_far', plan, last, compare);
  if (made.after && plan.measurement?.state === 'ACHIEVED') compareAchieved(plan, made.after, compare);
  if (made.after && plan.actions.every(({ state }) => state === 'SUCCEEDED')) compareDone(plan, made.after, compare);
  return verdict;
}

type Compare = (name: string, value: number | null | undefined, truth: number, most?: number) => void;

const isoOf = (at: string | null) => (at === null ? undefined : new Date(at).toISOString());
const rounded = (value: number) => Number(value.toFixed(3));

/** Counts of the hosts, exactly, and their shares. */
function compareHosts(plan: ApiPlan, { hosts }: CloudState, compare: Compare): void {
  for (const { hostname, before } of plan.hosts) {
    const host = hosts.find(({ name }) => name === hostname);
    if (!host || !before) continue;
    compare(`instances of ${hostname} before`, before.instances, host.instances, 0);
    compare(`vCPUs of ${hostname} before`, before.vcpus, host.vcpus, 0);
    compare(`memory of ${hostname} before`, before.memory, host.memory, 0);
    if (host.alive && !isSaturated(host)) compare(`CPU load of ${hostname} before`, before.cpu_load, host.cpuLoad);
  }
  compareShares(plan, hosts, compare);
}

function compareShares(plan: ApiPlan, hosts: CloudState['hosts'], compare: Compare): void {
  for (const { hostname, shares } of plan.shares) {
    const host = hosts.find(({ name }) => name === hostname);
    if (!host?.alive) continue;
    for (const quantity of shownQuantities) {
      if (quantity === 'disk' || (quantity === 'cpu_load' && isSaturated(host))) continue;
      compare(`share of ${quantity} of ${hostname} before`, shares[quantity]?.before, shareOf(host, quantity));
    }
  }
}

function compareAchieved(plan: ApiPlan, after: CloudState, compare: Compare): void {
  compareMeasured('after', plan, plan.after, after, compare);
  for (const { quantity, achieved } of plan.promises) {
    const truth = promised(quantity, after);
    if (truth !== null) compare(`achieved ${quantity}`, achieved, truth);
  }
}

/** Hosts after the actions that were carried out, and now: counts, exactly. */
function compareUses(moment: 'so_far' | 'today', plan: ApiPlan, { hosts }: CloudState, compare: Compare): void {
  for (const { hostname, ...host } of plan.hosts) {
    const [use, truth] = [host[moment], hosts.find(({ name }) => name === hostname)];
    // Placement still holds the allocations that the plan has moved from a failed host.
    if (!use || !truth || (moment === 'so_far' && !truth.alive)) continue;
    compare(`instances of ${hostname} ${moment}`, use.instances, truth.instances, 0);
    compare(`memory of ${hostname} ${moment}`, use.memory, truth.memory, 0);
    compare(`enabled ${hostname} ${moment}`, Number(use.enabled), Number(truth.enabled), 0);
  }
}

type Differ = (name: string, value: string | null | undefined, truth: string | undefined) => void;

/** Where each instance was when the plan was made, and where its last action that succeeded took it. */
function compareRoutes({ actions }: ApiPlan, { planned, after }: MadePlan, differ: Differ): void {
  const moves = actions.filter(({ action_type: type }) => type === 'migrate' || type === 'evacuate');
  const hostOf = (state: CloudState, id: unknown) => state.servers.find((server) => server.id === id)?.host;
  const byInstance = new Map<unknown, ApiAction[]>();
  for (const move of moves) {
    const { resource_id: id } = move.input_parameters;
    byInstance.set(id, [...(byInstance.get(id) ?? []), move]);
  }
  for (const [id, own] of byInstance) {
    const [move] = own;
    // Dummy strategies name instances that no cloud has.
    if (own.length !== 1 || !move || hostOf(planned, id) === undefined) continue;
    const { source_node: source, destination_node: destination, resource_name: name } = move.input_parameters;
    if (typeof source === 'string') differ(`source of ${name}`, source, hostOf(planned, id));
    const isDone = move.state === 'SUCCEEDED' && typeof destination === 'string';
    if (after && isDone) differ(`destination of ${name}`, destination, hostOf(after, id));
  }
}

/** Compares the predicted hosts of a plan whose actions all succeeded with the hosts of the cloud. */
function compareDone(plan: ApiPlan, { hosts }: CloudState, compare: Compare): void {
  if (plan.actions.some(({ input_parameters: input }) => 'resource_id' in input && !('destination_node' in input)))
    return;
  for (const { hostname, after } of plan.hosts) {
    const host = hosts.find(({ name }) => name === hostname);
    if (!host?.alive || !after) continue;
    compare(`instances of ${hostname} after`, after.instances, host.instances, 0);
    compare(`vCPUs of ${hostname} after`, after.vcpus, host.vcpus, 0);
    compare(`memory of ${hostname} after`, after.memory, host.memory, 0);
  }
}

/** Side effects and improvements: fullest host and deviation before. */
function compareChanges(plan: ApiPlan, state: CloudState, compare: Compare): void {
  for (const { quantity, deviation, highest_before: highest } of [...plan.sideEffects, ...plan.improvements]) {
    if (quantity === 'disk' || state.hosts.some(({ alive }) => !alive)) continue;
    if (quantity === 'cpu_load' && state.hosts.some(isSaturated)) continue;
    const truth = spreadOf(state, quantity as ShownQuantity);
    compare(`deviation of ${quantity} before`, deviation.before, truth.deviation);
    compare(`highest ${quantity} before`, highest, truth.highest);
  }
}

function compareGoal(
  when: string,
  plan: ApiPlan,
  value: number | null | undefined,
  state: CloudState,
  compare: Compare,
): void {
  const truth = goalOf(plan, state);
  if (truth !== undefined) compare(`deviation of the goal ${when}`, value, truth, tolerance / 100);
}

function compareMeasured(
  when: string,
  plan: ApiPlan,
  measured: ApiMeasurement | null,
  state: CloudState,
  compare: Compare,
): void {
  for (const [name, truth] of Object.entries(clusterOf(state))) {
    // A missing count is no number that equals the cloud.
    const value = measured ? (measured.cluster?.[name] ?? Number.NaN) : null;
    compare(`${name} ${when}`, value, truth, name.endsWith('_deviation') ? tolerance / 100 : 0);
  }
  compareGoal(when, plan, measured?.goal?.[goalDeviation], state, compare);
}

/** The value of a promised quantity. Null for durations, and for loads of which one is not known. */
function promised(quantity: string, state: CloudState): number | null {
  const [, name, measure] = /^(cpu_load|memory)_(highest|deviation)$/.exec(quantity) ?? [];
  if (!name || !measure || (name === 'cpu_load' && state.hosts.some(isSaturated))) return null;
  return spreadOf(state, name as ShownQuantity)[measure as 'highest' | 'deviation'];
}
