import { instanceStates } from '#libs/cluster-model';
import { createHopelessSizes, dependsOnSizeOnly } from '../shared/hosts/hopeless-sizes.ts';
import { createOrderedHosts } from '../shared/hosts/ordered-hosts.ts';
import { hostAt, instanceAt, instanceLabel } from '../shared/hosts/rows.ts';
import { isWorth } from '../shared/moves/load-worth.ts';
import { tooDear } from '../shared/moves/move-cost.ts';
import { createSoftChoice, softGroup } from '../shared/moves/soft-choice.ts';
import { createRejections } from '../shared/report/blocked-tally.ts';
import { exchange } from './exchange.ts';
import { refusalOf, type State, type Task } from './task.ts';
import type { Move } from './worth.ts';

/** Measured active instances of a host that may move, the largest first. */
function candidatesOn({ model, loads, blocked }: Task, host: number): number[] {
  const { snapshot } = model;
  const name = (instance: number) => instanceLabel(instanceAt(snapshot, instance));
  const candidates = model.instancesOn(host).filter((instance) => {
    const immovable = model.immovable(instance);
    const active = instanceStates[snapshot.instances.state[instance] as number] === 'active';
    if (immovable !== null || !active) blocked.add(immovable ?? 'instance-state', name(instance));
    return immovable === null && active && loads.ofInstance(instance) > 0;
  });
  return candidates.sort((a, b) => loads.ofInstance(b) - loads.ofInstance(a) || a - b);
}

/** The least loaded host that accepts the instance and stays below the threshold, or null. */
function findDestination(state: State, instance: number, from: number): Move | null {
  const { model, loads, under, hopeless, blocked } = state;
  const load = loads.ofInstance(instance);
  if (hopeless.has(instance, load)) {
    blocked.add('no-room-below-threshold', instanceLabel(instanceAt(model.snapshot, instance)));
    return null;
  }
  const rejections = createRejections((host) => hostAt(model.snapshot, host).hostname);
  const choice = createSoftChoice(model, instance, (host) => rejections.add(softGroup, host));
  let onlySize = true;
  let isSettled = false;
  for (let place = 0; place < under.size; place++) {
    const host = under.at(place);
    if (isSettled) {
      rejections.add('more-loaded', host);
      break;
    }
    const because = refusalOf(state, instance, host);
    if (because === null) isSettled = choice.offer(host);
    else {
      rejections.add(because, host);
      onlySize &&= because === 'threshold' || dependsOnSizeOnly(because);
    }
  }
  if (choice.host >= 0) return { instance, from, to: choice.host, rejected: rejections.list() };
  if (onlySize) hopeless.add(instance, load);
  const [main] = rejections.list().sort((a, b) => b.others - a.others);
  blocked.add(main?.because ?? 'no-other-host', instanceLabel(instanceAt(model.snapshot, instance)));
  return null;
}

/** Moves off one host, until it is below the threshold or no further move keeps it above its fair share. */
function* relieveHost(state: State, host: number): Generator<Move> {
  const { loads, under, worth } = state;
  const { threshold } = state.parameters;
  for (const instance of candidatesOn(state, host)) {
    if (loads.staysBelow(threshold, host)) return;
    const surplus = loads.ofHost(host) - loads.fairShare(host);
    if (loads.ofInstance(instance) > surplus) continue;
    if (!isWorth(worth.ofLeaving(host, instance))) {
      state.blocked.add(tooDear, instanceLabel(instanceAt(state.model.snapshot, instance)));
      continue;
    }
    const move = findDestination(state, instance, host);
    if (move === null) continue;
    state.moved.add(instance);
    yield move;
    under.update(move.to, loads.percent(move.to));
  }
  yield* exchange(state, host);
  if (loads.percent(host) >= threshold)
    state.blocked.add('overload-remains', hostAt(state.model.snapshot, host).hostname);
}

/** Hot hosts that are not relieved, and hosts below the threshold. A host that has just reached it is in neither. */
export function splitByThreshold({ loads, hosts, hot, parameters: { threshold } }: Task): {
  over: number[];
  under: number[];
} {
  const isOver = (host: number) => hot.has(host) && !loads.staysBelow(threshold, host);
  return {
    over: hosts.filter(isOver),
    under: hosts.filter((host) => !isOver(host) && loads.percent(host) < threshold),
  };
}

/**
 * Yields the moves that relieve all hosts, the most loaded first. The caller makes each move before it requests the
 * next.
 */
export function* relieveHosts(task: Task): Generator<Move> {
  const { over, under } = splitByThreshold(task);
  const state: State = {
    ...task,
    under: createOrderedHosts(under, task.loads.percent),
    hopeless: createHopelessSizes(task.model),
    moved: new Set(),
    detours: 0,
  };
  const falling = over.sort((a, b) => task.loads.percent(b) - task.loads.percent(a) || a - b);
  for (const host of falling) {
    task.signal.throwIfAborted();
    yield* relieveHost(state, host);
  }
}
