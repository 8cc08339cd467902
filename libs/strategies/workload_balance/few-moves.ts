import { isWorth } from '../shared/moves/load-worth.ts';
import { swapWay } from '../shared/moves/swaps.ts';
import { createTrialMoves } from '../shared/moves/trial-moves.ts';
import { destinationLimit, isActive, refusalOf, type Task } from './task.ts';
import type { Move } from './worth.ts';

/** Maximum number of instances × hosts for which all short plans are checked. */
const smallCloud = 1500;
/** Maximum choices evaluated in one search: well below a second. */
const mostWork = 200_000;
/** Maximum length of a searched plan. */
const longest = 5;
/** Maximum remaining fraction of the spread after a plan that goes below fair shares. */
const clearlyNearer = 0.9;

type Step = Pick<Move, 'instance' | 'from' | 'to' | 'partner'>;

/** Whether the cloud is small enough for `findFewMoves`. */
export function isSmall({ model, hosts }: Task): boolean {
  const instances = hosts.reduce((sum, host) => sum + model.instancesOn(host).length, 0);
  return instances * hosts.length <= smallCloud;
}

/**
 * The shortest plan, of fewer than `below` moves, after which no host has reached the threshold. Null when none is
 * found, or its price is too high. It brings no source below its fair share, unless that clearly reduces the spread of
 * loads. Besides single moves it checks exchanges, and moves that free room first. Leaves the model unchanged.
 */
export function findFewMoves(task: Task, below: number): Move[] | null {
  const { model, loads, hosts, hot } = task;
  const { threshold } = task.parameters;
  const spread = loads.deviation();
  const trial = createTrialMoves(model, loads.moved);
  const path: Step[] = [];
  let work = mostWork;

  function make(step: Step): void {
    trial.put(step.instance, step.to);
    path.push(step);
  }

  function undo(count: number): void {
    path.splice(-count);
    trial.undoTo(path.length);
  }

  const takes = (host: number, instance: number) => refusalOf(task, instance, host) === null;
  const over = () => hosts.filter((host) => hot.has(host) && !loads.staysBelow(threshold, host));
  const movable = (host: number) =>
    model.instancesOn(host).filter((row) => !trial.isAway(row) && isActive(model, row) && loads.ofInstance(row) > 0);

  function isFair(): boolean {
    const givers = new Set(path.map(({ from }) => from));
    const isAbove = [...givers].every((host) => loads.ofHost(host) >= loads.fairShare(host) - 1e-9);
    return loads.deviation() <= spread * (isAbove ? 1 + 1e-9 : clearlyNearer);
  }

  /** Applies the steps and searches further. Without a result it reverts them. */
  function follow(steps: readonly Step[], left: number): boolean {
    for (const step of steps) make(step);
    if (search(left - steps.length)) return true;
    undo(steps.length);
    return false;
  }

  function trySwap(instance: number, back: number, left: number): boolean {
    const gain = loads.ofInstance(instance) - loads.ofInstance(back);
    const [from, to] = [model.hostOf[instance] as number, model.hostOf[back] as number];
    if (gain <= 0 || gain >= loads.room(destinationLimit(task), to)) return false;
    const way = swapWay(model, instance, back);
    if (way === null) return false;
    const steps = [
      { instance, from, to, partner: back },
      { instance: back, from: to, to: from, partner: instance },
    ];
    return follow(way.first === instance ? steps : steps.reverse(), left);
  }

  /** `blocker` frees room on the destination by moving to a third host. */
  function tryPush(instance: number, blocker: number, left: number): boolean {
    const [from, to] = [model.hostOf[instance] as number, model.hostOf[blocker] as number];
    for (const third of hosts) {
      if (third === from || third === to || work-- <= 0) continue;
      if (!takes(third, blocker)) continue;
      make({ instance: blocker, from: to, to: third });
      if (takes(to, instance) && follow([{ instance, from, to }], left - 1)) return true;
      undo(1);
    }
    return false;
  }

  function trySingle(instance: number, to: number, left: number): boolean {
    if (!takes(to, instance)) return false;
    return follow([{ instance, from: model.hostOf[instance] as number, to }], left);
  }

  function tryPairs(instance: number, to: number, left: number): boolean {
    return movable(to).some(
      (other) => work-- > 0 && (trySwap(instance, other, left) || tryPush(instance, other, left)),
    );
  }

  function search(left: number): boolean {
    const full = over();
    if (full.length === 0) return isFair();
    if (full.length > left || work <= 0) return false;
    const from = full.reduce((most, host) => (loads.percent(host) > loads.percent(most) ? host : most));
    const instances = movable(from).sort((a, b) => loads.ofInstance(b) - loads.ofInstance(a) || a - b);
    const others = hosts.filter((host) => host !== from).sort((a, b) => loads.percent(a) - loads.percent(b) || a - b);
    const each = (attempt: (instance: number, to: number) => boolean) =>
      instances.some((instance) => others.some((to) => work-- > 0 && attempt(instance, to)));
    if (each((instance, to) => trySingle(instance, to, left))) return true;
    return left >= 2 && each((instance, to) => tryPairs(instance, to, left));
  }

  for (let length = 1; length < below && length <= longest; length++) {
    task.signal.throwIfAborted();
    if (!search(length)) continue;
    const found = path.map((step) => ({ ...step, rejected: [] }));
    const pays = isWorth(task.worth.ofMade(found.map(({ instance }) => instance)));
    undo(path.length);
    return pays ? found : null;
  }
  return null;
}
