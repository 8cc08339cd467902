import type { WhatIf } from '#libs/cluster-model';
import type { RejectedAlternative } from '#libs/domain';
import { createRejections } from '../rejections.ts';
import { hostAt } from '../rows.ts';
import { createDestinationIndex, type DestinationIndex } from './destination-index.ts';
import type { MeasuredUse } from './measured-use.ts';

export type Resource = 'vcpus' | 'memory';

/** Why the planned move of an instance was chosen. */
export interface Choice {
  rule: 'relieve-overload' | 'empty-host';
  rejected: RejectedAlternative[];
}

/** Model, measurements and the index of destinations, changed together. */
export interface Workspace {
  readonly model: WhatIf;
  readonly use: MeasuredUse;
  /** Allocated closest to its limit over the whole cluster; hosts are packed by it. */
  readonly scarce: Resource;
  readonly destinations: DestinationIndex;
  /** Latest choice of each instance that was moved. */
  readonly choices: ReadonlyMap<number, Choice>;
  need(instance: number): number;
  free(host: number): number;
  move(instance: number, to: number, choice: Choice): void;
  /** Number of moves so far, for `undoTo`. */
  mark(): number;
  /** Takes back all moves after the mark. */
  undoTo(mark: number): void;
}

/** A destination with the alternatives that were passed over, host −1 when there is none. */
export interface Found {
  host: number;
  rejected: RejectedAlternative[];
}

function scarcest(model: WhatIf, hosts: readonly number[]): Resource {
  const totals = { vcpus: 0, memory: 0, vcpusUsed: 0, memoryUsed: 0 };
  for (const host of hosts) {
    const capacity = model.capacity(host);
    const used = model.used(host);
    totals.vcpus += capacity.vcpus;
    totals.memory += capacity.memory;
    totals.vcpusUsed += used.vcpus;
    totals.memoryUsed += used.memory;
  }
  return totals.vcpusUsed * totals.memory >= totals.memoryUsed * totals.vcpus ? 'vcpus' : 'memory';
}

/** Begins with all given hosts as destinations. */
export function createWorkspace(model: WhatIf, use: MeasuredUse, hosts: readonly number[]): Workspace {
  const scarce = scarcest(model, hosts);
  const destinations = createDestinationIndex();
  const journal: { instance: number; from: number }[] = [];
  const choices = new Map<number, Choice>();
  const free = (host: number) => model.free(host)[scarce];
  for (const host of hosts) destinations.add(host, free(host));

  function shift(instance: number, to: number): void {
    const from = model.hostOf[instance] as number;
    model.move(instance, to);
    use.moved(instance, from, to);
    destinations.update(from, free(from));
    destinations.update(to, free(to));
  }

  return {
    model,
    use,
    scarce,
    destinations,
    choices,
    need: (instance) => model.snapshot.instances[scarce][instance] as number,
    free,
    move(instance, to, choice) {
      journal.push({ instance, from: model.hostOf[instance] as number });
      choices.set(instance, choice);
      shift(instance, to);
    },
    mark: () => journal.length,
    undoTo(mark) {
      for (const { instance, from } of journal.splice(mark).reverse()) shift(instance, from);
    },
  };
}

/** The name of what stands against a host, measured use included; null when nothing does. */
export function obstacle(space: Workspace, instance: number, host: number, allowDisabled = false): string | null {
  const refusal = space.model.refusal(instance, host, { allowDisabled });
  if (refusal !== null) return refusal;
  return space.use.fits(instance, host) ? null : 'measured-use';
}

/** The destination with the least room that takes the instance, so that room stays in large pieces. */
export function tightestDestination(space: Workspace, instance: number): Found {
  const { destinations, model } = space;
  const rejections = createRejections();
  const source = model.hostOf[instance];
  let found = -1;
  for (const host of destinations.atLeast(space.need(instance))) {
    if (host === source) continue;
    if (found >= 0) {
      rejections.add('looser-fit', hostAt(model.snapshot, host).hostname);
      break;
    }
    const against = obstacle(space, instance, host);
    if (against === null) found = host;
    else rejections.add(against, hostAt(model.snapshot, host).hostname);
  }
  return { host: found, rejected: [...tooFull(space, instance), ...rejections.list()] };
}

/** Hosts that lack the scarce resource, of which the index knows only how many there are. */
function tooFull(space: Workspace, instance: number): RejectedAlternative[] {
  const { count, nearest } = space.destinations.below(space.need(instance));
  if (nearest < 0) return [];
  const alternative = hostAt(space.model.snapshot, nearest).hostname;
  return [{ alternative, because: space.scarce === 'vcpus' ? 'vcpu' : 'memory', others: count - 1 }];
}
