import { totalCpus, type WhatIf } from '#libs/cluster-model';
import { Placement } from '#libs/optimizer';
import { instanceAt, instanceLabel } from '../shared/hosts/rows.ts';
import { isWorth, type LimitExcess, type MoveWorth, minutesNearLimit } from '../shared/moves/load-worth.ts';
import { moveMinutes, tooDear } from '../shared/moves/move-cost.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import type { HotLimits } from './hot-limits.ts';
import type { Loads } from './loads.ts';
import type { PlacementTask } from './placement-task.ts';
import { isHot, loadOf, reliefPercent } from './terms.ts';

/** Benefit of moves that relieve hot hosts, based on the current loads. */
export interface ReliefWorth {
  /** Benefit of a move before it is made. */
  ofMove(instance: number, from: number, to: number): MoveWorth;
  /**
   * Whether a move off a hot host avoids more than it costs. True for moves off other hosts, which are not made for
   * load.
   */
  pays(instance: number, from: number, to: number): boolean;
  moved(instance: number, from: number, to: number): void;
}

interface LimitedResource {
  use: Float64Array;
  load: Float64Array;
  target: Float64Array;
  hot: Map<number, LimitExcess>;
}

/** Loads without their notes. */
type KnownLoads = Omit<Loads, 'notes'>;

function hotHosts(model: WhatIf, loads: KnownLoads, limits: HotLimits): LimitedResource[] {
  const limited = (
    use: Float64Array,
    size: Float64Array,
    limitPercent: number,
    { lastsAt, shareAt }: Partial<Pick<Loads, 'lastsAt' | 'shareAt'>>,
  ): LimitedResource => {
    const load = size.map((_, host) => loadOf(model, use, host));
    const target = size.map((own) => (own * (limitPercent - reliefPercent)) / 100);
    const hot = new Map<number, LimitExcess>();
    size.forEach((own, host) => {
      if (!isHot(model, { load: load[host]!, own, limitPercent, lastsAt }, host)) return;
      const share = shareAt?.(host, (own * limitPercent) / 100) ?? 1;
      hot.set(host, { excess: load[host]! - target[host]!, share });
    });
    return { use, load, target, hot };
  };
  const { cpu, memory } = loads;
  return [
    limited(cpu, totalCpus(model.snapshot), limits.cpu, loads),
    ...(memory !== null && limits.memory !== undefined
      ? [limited(memory, model.snapshot.hosts.memory, limits.memory, {})]
      : []),
  ];
}

/**
 * Evaluates the current hosts and returns a function that starts a calculation with their loads. The limits of a host
 * are its hot limits. The expected time near the CPU limit is the fraction of samples near it. Memory has no samples,
 * so a host near its memory limit is expected to stay near it.
 */
export function createReliefWorths(model: WhatIf, loads: KnownLoads, limits: HotLimits): () => ReliefWorth {
  const limited = hotHosts(model, loads, limits);
  return () =>
    createReliefWorth(
      model,
      loads.cpu,
      limited.map((one) => ({ ...one, load: one.load.slice() })),
    );
}

function createReliefWorth(model: WhatIf, cpu: Float64Array, limited: readonly LimitedResource[]): ReliefWorth {
  const { vcpus } = model.snapshot.instances;
  const excess = ({ load, target }: LimitedResource, host: number) => load[host]! - target[host]!;

  function ofMove(instance: number, from: number, to: number): MoveWorth {
    const avoided = limited.reduce((sum, one) => {
      const change = (host: number, use: number) =>
        minutesNearLimit(one.hot.get(host), excess(one, host)) -
        minutesNearLimit(one.hot.get(host), excess(one, host) + use);
      return sum + change(from, -one.use[instance]!) + change(to, one.use[instance]!);
    }, 0);
    return { avoided, price: moveMinutes(model, instance, (cpu[instance]! / vcpus[instance]!) * 100) };
  }

  return {
    ofMove,
    pays: (instance, from, to) => !limited.some(({ hot }) => hot.has(from)) || isWorth(ofMove(instance, from, to)),
    moved(instance, from, to) {
      for (const { use, load } of limited) {
        load[from]! -= use[instance]!;
        load[to]! += use[instance]!;
      }
    },
  };
}

/**
 * Keeps instances on hot hosts when no destination justifies their price, so that the search chooses others. Excludes
 * hosts with broken rules.
 */
export function keepDear(task: PlacementTask, model: WhatIf, worth: ReliefWorth, blocked: BlockedTally): void {
  const { problem, terms, instanceOf } = task;
  const repairs = terms.filter(({ level }) => level === 0).map(({ alone }) => new Placement(alone));
  const isBroken = (host: number) => repairs.some((placement) => placement.costOf(host) > 0);
  problem.home.forEach((host, item) => {
    const instance = instanceOf[item]!;
    // No destination is hot, so any one represents all.
    if (problem.fixed[item] !== 0 || worth.pays(instance, host, -1) || isBroken(host)) return;
    problem.fixed[item] = 1;
    blocked.add(tooDear, instanceLabel(instanceAt(model.snapshot, instance)));
  });
}
