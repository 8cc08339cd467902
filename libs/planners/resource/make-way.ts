import { type ComputeSnapshot, createWhatIf, type MovesTogether, type WhatIf } from '#libs/cluster-model';
import type { ActionReason } from '#libs/domain';
import type { BlockedAction, PlanLimits, ProposedAction } from '#libs/plugin-kit';
import { changesService, serviceHost } from '../action-view.ts';
import { orderByRoom, type RoomOrder } from './order-by-room.ts';
import type { Task } from './tasks.ts';
import { withdrawHosts, withoutTasks } from './withdraw-hosts.ts';

/** Orders that are tried for the sake of swaps, at most. Each costs as much as ordering the plan once. */
const mostTrials = 64;
/** The same for large plans: tasks times trials. */
const mostWork = 2_000_000;

/** A plan in which every migration finds room. */
export interface WayMade {
  tasks: Task[];
  /** Actions that find no room in any order and with no host to make way. They are not among the tasks. */
  blocked: BlockedAction[];
}

interface WayFound {
  tasks: Task[];
  /** By the index of the task, which a migration in two steps has in common with the given one. */
  blocked: Map<number, BlockedAction>;
}

/** The cloud after all migrations that have found room. */
function modelAfter(snapshot: ComputeSnapshot, { placed }: RoomOrder): WhatIf {
  const model = createWhatIf(snapshot);
  for (const { instance, destinationRow } of placed)
    if (instance >= 0 && destinationRow >= 0) model.move(instance, destinationRow);
  return model;
}

/** Smaller of the free shares of vcpus and memory. */
function freeShare(model: WhatIf, host: number): number {
  const [free, capacity] = [model.free(host), model.capacity(host)];
  return Math.min(free.vcpus / capacity.vcpus, free.memory / capacity.memory);
}

/** Obstacle to a move that follows from the source host, regardless of room. */
const constraintsOfWay: ReadonlySet<string | null> = new Set([
  'hypervisor-type',
  'hypervisor-version',
  'cpu-architecture',
  'cpu-model',
]);

/** Whether the instance can continue to its destination from there: none returns to an older hypervisor. */
function leadsOn({ instance, sourceRow, destinationRow }: Task, model: WhatIf, buffer: number): boolean {
  model.move(instance, buffer);
  const because = model.refusal(instance, destinationRow);
  model.move(instance, sourceRow);
  return !constraintsOfWay.has(because);
}

/** The emptiest host that takes the instance for a while; −1 when none does. */
function bufferFor(task: Task, model: WhatIf, barred: ReadonlySet<number>): number {
  const { instance, sourceRow, destinationRow } = task;
  let best = -1;
  for (let host = 0; host < model.snapshot.hostInfo.length; host++) {
    if (host === sourceRow || host === destinationRow || barred.has(host)) continue;
    if (model.refusal(instance, host) !== null || !leadsOn(task, model, host)) continue;
    if (best < 0 || freeShare(model, host) > freeShare(model, best)) best = host;
  }
  return best;
}

/** Instances that stay together move in a fixed order, and cannot leave their host for a while. */
function mayDetour({ instance, sourceRow, destinationRow }: Task, { orderedSetsOf }: MovesTogether): boolean {
  if (instance < 0 || sourceRow < 0 || destinationRow < 0) return false;
  return orderedSetsOf(instance).length === 0;
}

/** Input of the search for a way. */
export interface WayOptions {
  snapshot: ComputeSnapshot;
  together: MovesTogether;
  limits: PlanLimits;
  /** Names of hosts that park no instance. */
  leftAlone: ReadonlySet<string>;
}

function hopReason(task: Task, model: WhatIf, buffer: number): ActionReason {
  const name = String(task.action.inputParameters.resource_name ?? task.action.inputParameters.resource_id);
  const host = model.snapshot.hostInfo[buffer]?.hostname ?? '';
  const { vcpus, memory } = model.used(buffer);
  const { instances } = model.snapshot;
  const values: [string, string, number, number][] = [
    ['vcpus_allocated', '', vcpus, instances.vcpus[task.instance] as number],
    ['memory_allocated', 'MB', memory, instances.memory[task.instance] as number],
  ];
  return {
    rule: 'swap-through-buffer',
    summary: `${task.destination} has no room for ${name} before others leave, which wait for room on ${task.source}. Until then, ${name} waits on ${host}.`,
    values: values.map(([quantity, unit, before, more]) => ({
      quantity,
      subject: host,
      unit,
      before,
      after: before + more,
    })),
    rejected: [],
  };
}

function withInput({ action }: Task, changes: ProposedAction['inputParameters'], reason: ActionReason): ProposedAction {
  return { ...action, inputParameters: { ...action.inputParameters, ...changes }, reason };
}

/** The tasks with one migration split in two: to the buffer, and from there to its destination. */
function detour(tasks: readonly Task[], task: Task, model: WhatIf, buffer: number): Task[] {
  const host = model.snapshot.hostInfo[buffer]?.hostname ?? '';
  const given = tasks[task.index] as Task;
  const hop: Task = {
    ...given,
    index: tasks.length,
    action: {
      ...withInput(given, { destination_node: host }, hopReason(given, model, buffer)),
      // Only the second part gains.
      ...(given.action.gain === undefined ? {} : { gain: 0 }),
    },
    destination: host,
    destinationRow: buffer,
  };
  const { reason } = given.action;
  const rest: Task = {
    ...given,
    action: withInput(given, { source_node: host }, { ...reason, summary: `${reason.summary} It comes from ${host}.` }),
    source: host,
    sourceRow: buffer,
    parents: new Set([...given.parents, hop.index]),
  };
  return [...tasks.map((other) => (other.index === rest.index ? rest : other)), hop];
}

/** Hosts that park no instance: the plan changes their service, or the strategy leaves them alone. */
function barredHosts(tasks: readonly Task[], { snapshot, leftAlone }: WayOptions): Set<number> {
  const changed = tasks.filter(({ action }) => changesService(action)).map(({ action }) => serviceHost(action));
  const names = new Set([...changed, ...leftAlone]);
  return new Set(snapshot.hostInfo.flatMap(({ hostname }, row) => (names.has(hostname) ? row : [])));
}

function why(task: Task, model: WhatIf): BlockedAction {
  const { action, instance, source, destination, destinationRow } = task;
  const name = String(action.inputParameters.resource_name ?? action.inputParameters.resource_id);
  const constraint = instance < 0 || destinationRow < 0 ? null : model.refusal(instance, destinationRow);
  const reason =
    constraint === null
      ? 'something that has to be done before finds no room'
      : `${destination} refuses it (${constraint}) in every order, and no other host can hold it until then`;
  return {
    action,
    constraint: constraint ?? 'blocked-before',
    why: `${name} cannot go from ${source} to ${destination}: ${reason}`,
  };
}

/**
 * Orders migrations by room. In a circle of full hosts one instance waits on a third host, the smallest that resolves
 * the circle. That adds one migration. Migrations without room even then are left out.
 */
function findWay(given: readonly Task[], options: WayOptions): WayFound {
  const { snapshot, together, limits } = options;
  let tasks = given;
  let order = orderByRoom(tasks, together);
  if (order.stuck.length === 0) return { tasks: order.tasks, blocked: new Map() };
  const barred = barredHosts(given, options);
  const { memory } = snapshot.instances;
  const most = limits.mostMigrations ?? Number.POSITIVE_INFINITY;
  let trials = Math.min(mostTrials, Math.ceil(mostWork / given.length));

  /** The order after the best detour that helps. Null when none does. */
  function improve(): { tasks: Task[]; order: RoomOrder } | null {
    const model = modelAfter(snapshot, order);
    const candidates = order.stuck.filter((task) => mayDetour(task, together));
    candidates.sort((a, b) => (memory[a.instance] as number) - (memory[b.instance] as number) || a.index - b.index);
    for (const task of candidates) {
      const buffer = bufferFor(task, model, barred);
      if (buffer < 0) continue;
      if (trials-- <= 0) return null;
      const tried = detour(tasks, task, model, buffer);
      const next = orderByRoom(tried, together);
      const helps = next.stuck.length < order.stuck.length && next.stuck.every(({ index }) => index !== task.index);
      if (helps && next.placed.length <= most) return { tasks: tried, order: next };
    }
    return null;
  }

  for (let better = improve(); better !== null; better = improve()) ({ tasks, order } = better);
  const model = modelAfter(snapshot, order);
  return {
    tasks: withoutTasks(order.tasks, new Set(order.stuck.map(({ index }) => index))),
    blocked: new Map(order.stuck.map((task) => [task.index, why(task, model)])),
  };
}

/**
 * As `findWay`, and leaves out every host that cannot be emptied: its instances stay, and its service keeps its state.
 * Each round takes out at least one host.
 */
export function makeWay(given: readonly Task[], options: WayOptions): WayMade {
  const blocked: BlockedAction[] = [];
  let way = findWay(given, options);
  let rest = withdrawHosts(given, way.blocked);
  while (rest !== null) {
    blocked.push(...rest.blocked);
    const { tasks } = rest;
    way = findWay(tasks, options);
    rest = withdrawHosts(tasks, way.blocked);
  }
  return { tasks: way.tasks, blocked: [...blocked, ...way.blocked.values()] };
}
