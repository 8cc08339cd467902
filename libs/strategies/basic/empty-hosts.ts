import type { WhatIf } from '#libs/cluster-model';
import type { BlockedTally } from '../blocked-tally.ts';
import { holdsForeignAllocation } from '../foreign-allocation.ts';
import { hostAt } from '../rows.ts';
import { createSoftChoice } from '../soft-choice.ts';
import type { MeasuredCpu } from './measured-cpu.ts';
import type { Loads } from './read-loads.ts';
import { createRoomTree } from './room-tree.ts';

export interface Task {
  model: WhatIf;
  cpu: MeasuredCpu;
  loads: Loads;
  /** Enabled hosts with instances, the most loaded first. */
  order: readonly number[];
  /** Why an instance can not be moved, whatever the destination; null when it can. */
  immovable(instance: number): string | null;
  /** Hosts in a row that may fail; 0 for any number. */
  attempts: number;
  /** Hosts that could be freed and stay as they are. */
  reserve: number;
  blocked: BlockedTally;
  signal: AbortSignal;
}

interface Step {
  instance: number;
  from: number;
  to: number;
}

/** What became of the hosts; the model is as the plan leaves it. */
export interface Emptied {
  /** Freed hosts in the order in which they became free. */
  freed: number[];
  /** Every instance that ends elsewhere, in the order of the last moves. */
  moves: Step[];
}

/**
 * Empties hosts, the least loaded first, each completely or not at all. An instance goes to the most loaded host that takes
 * it. Hosts that were tried keep what they got later, so a final destination only ever fills up: the moves fit in any order.
 */
export function emptyHosts(task: Task): Emptied {
  const { model, cpu, order, attempts, reserve, signal } = task;
  const origin = model.hostOf.slice();
  const places = new Map(order.map((host, place) => [host, place]));
  const tree = createRoomTree(model, order, cpu.free);
  const journal: Step[] = [];

  function shift(instance: number, to: number): void {
    const from = model.hostOf[instance] as number;
    model.move(instance, to);
    cpu.moved(instance, from, to);
    for (const host of [from, to]) tree.update(places.get(host) as number);
  }

  function undoTo(mark: number): void {
    for (const { instance, from } of journal.splice(mark).reverse()) shift(instance, from);
  }

  /** Moves one instance away; answers what stood against it, or null when it is done. */
  function place(instance: number): string | null {
    const need = { ...model.needs(instance), cpu: cpu.ofInstance(instance) };
    const choice = createSoftChoice(model, instance);
    let because = 'no-room';
    for (let at = tree.next(0, need); at >= 0; at = tree.next(at + 1, need)) {
      const to = order[at] as number;
      const refusal = model.refusal(instance, to);
      if (refusal !== null) because = refusal;
      else if (choice.offer(to)) break;
    }
    if (choice.host < 0) return because;
    journal.push({ instance, from: model.hostOf[instance] as number, to: choice.host });
    shift(instance, choice.host);
    return null;
  }

  function tryToEmpty(host: number): string | null {
    if (holdsForeignAllocation(model, host)) return 'foreign-allocation';
    const instances = [...model.instancesOn(host)].sort(
      (a, b) => (task.loads.instancePercent[b] as number) - (task.loads.instancePercent[a] as number) || a - b,
    );
    for (const instance of instances) {
      const immovable = task.immovable(instance);
      if (immovable !== null) return immovable;
    }
    const mark = journal.length;
    for (const instance of instances) {
      const obstacle = place(instance);
      if (obstacle === null) continue;
      undoTo(mark);
      return obstacle;
    }
    return null;
  }

  const freed: { host: number; mark: number }[] = [];
  let failures = 0;
  for (let at = order.length - 1; at >= 0 && (attempts === 0 || failures <= attempts); at--) {
    signal.throwIfAborted();
    const host = order[at] as number;
    tree.close(at, true);
    const mark = journal.length;
    const obstacle = tryToEmpty(host);
    if (obstacle === null) {
      freed.push({ host, mark });
      failures = 0;
      continue;
    }
    failures++;
    tree.close(at, false);
    task.blocked.add(obstacle, hostAt(model.snapshot, host).hostname);
  }
  const kept = reserve > 0 ? freed.splice(-reserve) : [];
  if (kept[0] !== undefined) undoTo(kept[0].mark);
  return { freed: freed.map(({ host }) => host), moves: lastMoves(journal, origin) };
}

function lastMoves(journal: readonly Step[], origin: Int32Array): Step[] {
  const last = new Map<number, Step>();
  for (const step of journal) {
    last.delete(step.instance);
    last.set(step.instance, step);
  }
  return [...last.values()].map(({ instance, to }) => ({ instance, from: origin[instance] as number, to }));
}
