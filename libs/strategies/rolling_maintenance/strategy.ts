import { hostFlag, type WhatIf } from '#libs/cluster-model';
import { counted, InvalidInputError } from '#libs/domain';
import type { PastActions, ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { hostAt, namedHost } from '../shared/hosts/rows.ts';
import { bringBack } from '../shared/moves/bring-back.ts';
import { nameWhereNeeded } from '../shared/moves/free-choice.ts';
import { disableSource, isDisabled, leaveHost, maintenanceReason } from '../shared/moves/leave-host.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { createDomainTurns, type DomainTurns, lastOfDomains } from './domain-turns.ts';
import { type RollingMaintenanceParameters, rollingMaintenanceParameters } from './parameters.ts';

/** Manifest of `rolling_maintenance`. */
const rollingMaintenanceManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'rolling_maintenance',
  displayName: 'Rolling Maintenance Strategy',
  goal: 'cluster_maintaining',
  description:
    'Empties compute nodes one after the other for maintenance. The next node follows when the service of the ' +
    'previous one is enabled again. Run it as a CONTINUOUS audit. It stops when actions fail or a node cannot be ' +
    'emptied. It can be limited to a time of day.',
  parameters: rollingMaintenanceParameters,
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: true,
  byOrder: true,
  readsPast: true,
};

const minutesOfDay = 24 * 60;

/** State of a node. `foreign`: another user disabled it. */
type Stand = 'waits' | 'in maintenance' | 'done' | 'foreign' | 'down';

interface Task {
  model: WhatIf;
  parameters: RollingMaintenanceParameters;
  past: PastActions;
  blocked: BlockedTally;
  notes: string[];
  /** Notes on nodes that wait for others of their failure domains. */
  waiting: string[];
}

function stageOf({ model, past }: Task, host: number): Stand {
  const { hostname, disabledReason } = hostAt(model.snapshot, host);
  const wasStarted = past.disabled.includes(hostname);
  if (isDisabled(model, host)) return wasStarted || disabledReason === maintenanceReason ? 'in maintenance' : 'foreign';
  const flags = model.snapshot.hosts.flags[host] as number;
  const isDown = !(flags & hostFlag.up) || (flags & hostFlag.forcedDown) !== 0;
  if (isDown) return wasStarted ? 'in maintenance' : 'down';
  return wasStarted ? 'done' : 'waits';
}

/** Puts a node back into use, with its instances. */
function restore(model: WhatIf, source: number, instances: readonly number[]): void {
  model.setEnabled(source, true);
  for (const instance of instances) model.move(instance, source);
}

/** Moves that empty a node completely. Null, with an unchanged model, when an instance must stay. */
function empty(
  { model, parameters, blocked }: Task,
  source: number,
  shun: ReadonlySet<number>,
): ProposedAction[] | null {
  const instances = [...model.instancesOn(source)];
  const actions = disableSource(model, source);
  model.setEnabled(source, false);
  const moves = leaveHost({ model, source, backup: -1, shun, parameters, blocked });
  if (moves.length === instances.length) return [...actions, ...moves];
  restore(model, source, instances);
  return null;
}

/** Actions that remain for nodes in maintenance. An earlier plan may have failed in part. */
function finish({ model, parameters, blocked }: Task, sources: readonly number[]): ProposedAction[] {
  for (const source of sources) model.setEnabled(source, false);
  return sources.flatMap((source) => [
    ...disableSource(model, source),
    ...leaveHost({ model, source, backup: -1, parameters, blocked }),
  ]);
}

/** Whether the plan so far moves an instance to the host, which would have to move again in the same plan. */
function receives(model: WhatIf, host: number): boolean {
  return model.instancesOn(host).some((instance) => model.snapshot.instances.host[instance] !== host);
}

/** Actions that start the maintenance of a node, or the reason why it cannot start. The model is then unchanged. */
function start(
  task: Task,
  turns: DomainTurns,
  host: number,
  waiting: ReadonlySet<number>,
): ProposedAction[] | 'waits' | 'stuck' {
  const { model, notes } = task;
  if (receives(model, host)) {
    const { hostname } = hostAt(model.snapshot, host);
    notes.push(`${hostname} waits for the next plan: this one moves instances to it`);
    return 'waits';
  }
  // Checked first: instances that are bound to the domain may find room only after the other node has returned.
  if (!turns.leave(host)) return 'waits';
  const instances = [...model.instancesOn(host)];
  // An instance that moves to a waiting node would have to move again.
  const moves = empty(task, host, waiting);
  if (moves === null) {
    turns.stay(host);
    return 'stuck';
  }
  const destinations = instances.map((instance) => model.hostOf[instance] as number);
  if (turns.leave(host, destinations)) return moves;
  restore(model, host, instances);
  turns.stay(host, destinations);
  return 'waits';
}

/** Starts the next nodes. `working` are the nodes in maintenance. */
function begin(task: Task, waiting: readonly number[], working: readonly number[]): ProposedAction[] {
  const { model, parameters, notes } = task;
  const free = parameters.at_once - working.length;
  if (free <= 0) return [];
  const turns = createDomainTurns(model, working, parameters.failure_reserve ?? 1);
  const shun = new Set(waiting);
  const actions: ProposedAction[] = [];
  let begun = 0;
  for (const host of waiting) {
    if (begun === free) break;
    const started = start(task, turns, host, shun);
    if (started === 'waits') continue;
    if (started === 'stuck') {
      const { hostname } = hostAt(model.snapshot, host);
      notes.push(`${hostname} cannot be emptied completely and is left unchanged`);
      if (parameters.if_stuck === 'skip') continue;
      notes.push(`stopped at ${hostname}: nothing further starts until it can be emptied or is removed from the list`);
      break;
    }
    notes.push(...lastOfDomains(model, host));
    begun += 1;
    actions.push(...started);
  }
  task.waiting = turns.report(task.blocked);
  notes.push(...task.waiting);
  return actions;
}

/** Why the audit may do nothing. Null when it may continue. */
function stopReason({ parameters, past }: Task, nowMs: number): string | null {
  const { max_failures: allowed, window_start: start, window_end: end } = parameters;
  if (past.failures > allowed)
    return `stopped: ${counted(past.failures, 'action')} of this audit failed, ${allowed} may; check the reasons, then start a new audit or allow more`;
  return isInWindow(nowMs, start, end) ? null : `outside of the window from ${start} to ${end} UTC`;
}

/**
 * Continues a maintenance of several nodes. Finishes started nodes, returns instances to finished nodes, and starts
 * further nodes up to the allowed number in maintenance. Throws InvalidInputError for a node that the model lacks.
 */
export const rollingMaintenanceStrategy: StrategyPlugin<RollingMaintenanceParameters> = {
  manifest: rollingMaintenanceManifest,
  async run({ model, parameters, past, clock }): Promise<StrategyResult> {
    const task: Task = { model, parameters, past, blocked: createBlockedTally(), notes: [], waiting: [] };
    const hosts = parameters.compute_nodes.map((hostname) => namedHost(model, 'compute_nodes', hostname));
    const at = (stand: Stand) => hosts.filter((host) => stageOf(task, host) === stand);
    const [waiting, working, done] = [at('waits'), at('in maintenance'), at('done')];
    for (const host of at('foreign')) task.blocked.add('disabled-by-others', hostAt(model.snapshot, host).hostname);
    for (const host of at('down')) task.blocked.add('host-down', hostAt(model.snapshot, host).hostname);
    const stopped = stopReason(task, clock.now());
    const actions = stopped === null ? propose(task, { waiting, working, done }) : [];
    task.notes.push(
      `${done.length} of ${counted(hosts.length, 'node')} done, ${working.length} in maintenance, ${waiting.length} waiting`,
    );
    return {
      actions: nameWhereNeeded(model, actions),
      indicators: {},
      report: {
        hosts: { considered: hosts.length, eligible: waiting.length + working.length },
        instances: {
          considered: hosts.reduce((sum, host) => sum + model.instancesOn(host).length, 0),
          eligible: actions.filter(({ actionType }) => actionType === 'migrate').length,
        },
        blocked: task.blocked.counts(),
        emptyBecause: actions.length > 0 ? null : (stopped ?? emptyReason(task, hosts.length, { working, done })),
        notes: task.notes,
      },
    };
  },
};

function propose(
  task: Task,
  { waiting, working, done }: Record<'waiting' | 'working' | 'done', readonly number[]>,
): ProposedAction[] {
  const { model, parameters, past, blocked } = task;
  const leftovers = finish(task, working);
  const next = begin(task, waiting, working);
  // Last: a returning node needs no instances that other nodes move to it anyway.
  const back = parameters.bring_back ? done.flatMap((host) => bringBack(model, host, past.departures, blocked)) : [];
  return [...leftovers, ...next, ...back];
}

function emptyReason(
  { model, parameters, waiting }: Task,
  all: number,
  { working, done }: { working: readonly number[]; done: readonly number[] },
): string {
  if (done.length === all) return `the maintenance is done (${counted(all, 'node')}); the audit can be ended`;
  if (working.length >= parameters.at_once) {
    const names = working.map((host) => hostAt(model.snapshot, host).hostname).join(', ');
    return working.length === 1
      ? `${names} is in maintenance; the next node starts when its compute service is enabled again`
      : `${names} are in maintenance; the next node starts when one of their compute services is enabled again`;
  }
  return waiting[0] ?? 'no node can be started now';
}

/**
 * Whether a time is in a daily window in UTC. A window that ends before it starts crosses midnight.
 * @throws InvalidInputError when only one end is given, or both are the same.
 */
function isInWindow(nowMs: number, start: string | undefined, end: string | undefined): boolean {
  if (start === undefined && end === undefined) return true;
  if (start === undefined || end === undefined)
    throw new InvalidInputError(
      start === undefined ? 'window_start' : 'window_end',
      'both ends of the window are needed',
    );
  const [from, to] = [minutesOf(start), minutesOf(end)];
  if (from === to) throw new InvalidInputError('window_end', 'must differ from window_start');
  const now = Math.floor(nowMs / 60_000) % minutesOfDay;
  return from < to ? now >= from && now < to : now >= from || now < to;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
