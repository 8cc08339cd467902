import { createWhatIf, type WhatIf } from '#libs/cluster-model';
import { counted, type RejectedAlternative } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { moveWithAllocations } from '../shared/hosts/allocation-values.ts';
import { acceptingHosts, hostAt, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';
import {
  type AllocationTarget,
  createAllocationTarget,
  targetConstraint,
  targetOf,
} from '../shared/hosts/target-utilization.ts';
import { disableFreedAction, freedReason, migrateAction, migrationTypeOf } from '../shared/moves/actions.ts';
import type { Emptied } from '../shared/moves/emptying-run.ts';
import type { Step } from '../shared/moves/trial-moves.ts';
import { applyRelief } from '../shared/relief/plan-relief.ts';
import { createRejections } from '../shared/report/blocked-tally.ts';
import { type ConsolidationContext, occupiedHosts } from './consolidation-attempt.ts';
import { gainShare } from './explain.ts';
import { hotLimitsOf } from './hot-limits.ts';
import { createHotRoom, type HotRoom } from './hot-room.ts';
import type { Loads } from './loads.ts';

/** Maximum number of fuller hosts that an explanation checks. */
const explainedHosts = 16;
/** Reason in reports for a host that accepts no more load. */
const hotLimit = 'hot-limit';

/** Values that explain a plan of consolidation. */
export interface EmptyingValues {
  loads: Loads;
  effortOf(instance: number): number;
  /** Points of the aim for a freed host. */
  pointsPerHost: number;
}

/** Applies the moves of a plan in order to a separate model. */
class Telling {
  readonly view: WhatIf;
  private readonly target: AllocationTarget;
  private readonly hot: HotRoom;
  private readonly accepting: number[];

  constructor({ model, parameters, relief }: ConsolidationContext, loads: Loads) {
    const view = createWhatIf(model.snapshot);
    this.view = relief ? applyRelief(view, relief) : view;
    this.target = createAllocationTarget(this.view, targetOf(parameters.target_utilization));
    this.hot = createHotRoom(this.view, loads, hotLimitsOf(parameters));
    this.accepting = acceptingHosts(model);
  }

  private because(instance: number, host: number): string | null {
    const refusal = this.view.refusal(instance, host);
    if (refusal !== null) return refusal;
    if (!this.target.admits(instance, host)) return targetConstraint;
    return this.hot.admits(instance, host) ? null : hotLimit;
  }

  /** Fuller, hence better hosts, with their obstacles. */
  refused({ instance, from, to }: Step): RejectedAlternative[] {
    const { view } = this;
    const rejections = createRejections((host) => hostAt(view.snapshot, host).hostname);
    const free = view.free(to).vcpus;
    const fuller = this.accepting.filter((host) => host !== to && host !== from && view.free(host).vcpus < free);
    for (const host of fuller.slice(0, explainedHosts)) {
      const because = this.because(instance, host);
      if (because !== null) rejections.add(because, host);
    }
    return rejections.list();
  }

  move({ instance, from, to }: Step) {
    this.hot.moved(instance, from, to);
    return moveWithAllocations(this.view, instance, to);
  }
}

/** Gain of all migrations off one host together. */
interface Departure {
  moves: number;
  effort: number;
  /** Number of hosts in use once it is free. */
  left: number;
}

function explain(
  reporting: Telling,
  step: Step,
  { moves, effort, left }: Departure,
  { part, gain, own }: { part: number; gain: number; own: number },
): ProposedAction {
  const { view } = reporting;
  const { snapshot } = view;
  const [source, target] = [hostAt(snapshot, step.from), hostAt(snapshot, step.to)];
  const info = instanceAt(snapshot, step.instance);
  const rejected = reporting.refused(step);
  const values = reporting.move(step);
  const others = moves > 1 ? `with ${counted(moves - 1, 'other migration')} that` : 'that';
  const action = migrateAction(info, migrationTypeOf(snapshot, step.instance), source, target, {
    rule: 'empty-host',
    summary:
      `${instanceLabel(info)} goes from ${source.hostname} to ${target.hostname}: ${others} empties ${source.hostname}, which takes the hosts in use ` +
      `from ${left + 1} to ${left}, ${moves > 1 ? 'together ' : ''}${gainShare(part)}; ` +
      `${target.hostname} then has ${shortNumber(view.used(step.to).vcpus)} of ${shortNumber(view.capacity(step.to).vcpus)} vcpus allocated.`,
    values: [{ quantity: 'hosts_in_use', subject: source.hostname, unit: 'hosts', before: 1, after: 0 }, ...values],
    rejected,
  });
  return { ...action, gain: effort > 0 ? (gain * own) / effort : gain / moves };
}

function disable(model: WhatIf, host: number, activeBefore: number): ProposedAction {
  const info = hostAt(model.snapshot, host);
  return disableFreedAction(info, freedReason, {
    rule: 'disable-empty-host',
    summary: `${info.hostname} is empty after the plan; without it ${activeBefore - 1} of ${activeBefore} hosts stay in use.`,
    values: [{ quantity: 'enabled', subject: info.hostname, unit: '', before: 1, after: 0 }],
    rejected: [],
  });
}

/**
 * Converts a plan to actions. Each migration names the host that it empties, the other migrations off it, their part
 * of the gain, and the obstacles of fuller hosts. The gain of a freed host is divided among its migrations by
 * duration, so hosts that are freed quickly come first.
 */
export function explainEmptying(
  context: ConsolidationContext,
  { freed, moves }: Pick<Emptied, 'freed' | 'moves'>,
  { loads, effortOf, pointsPerHost }: EmptyingValues,
): ProposedAction[] {
  const { model } = context;
  const inUse = occupiedHosts(context).length;
  const departures = new Map<number, Departure>();
  for (const [index, host] of freed.entries()) {
    const own = moves.filter(({ from }) => from === host);
    const effort = own.reduce((sum, { instance }) => sum + effortOf(instance), 0);
    departures.set(host, { moves: own.length, effort, left: inUse - index - 1 });
  }
  const reporting = new Telling(context, loads);
  const part = freed.length > 0 ? 1 / freed.length : 0;
  return [
    ...moves.map((move) =>
      explain(reporting, move, departures.get(move.from)!, {
        part,
        gain: pointsPerHost,
        own: effortOf(move.instance),
      }),
    ),
    ...freed.flatMap((host, index) => (model.enabled[host] === 1 ? disable(reporting.view, host, inUse - index) : [])),
  ];
}
