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
  found: Found;
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

/** A destination with the alternatives that were passed over; host −1 when there is none. */
export interface Found {
  host: number;
  /** Hosts that something else than the scarce resource stood against, fullest first. */
  refused: { host: number; because: string }[];
  /** Hosts without enough of the scarce resource, and the one nearest to it (−1 when there is none). */
  tooFull: { count: number; nearest: number };
  /** A host with more room than the chosen one, −1 when there is none. */
  looser: number;
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
  const need = space.need(instance);
  const source = model.hostOf[instance];
  const found: Found = { host: -1, refused: [], tooFull: destinations.below(need), looser: -1 };
  for (const host of destinations.atLeast(need)) {
    if (host === source) continue;
    if (found.host >= 0) {
      found.looser = host;
      break;
    }
    const because = obstacle(space, instance, host);
    if (because === null) found.host = host;
    else found.refused.push({ host, because });
  }
  return found;
}

/** The passed over alternatives for people. */
export function rejectedAlternatives(space: Workspace, { refused, tooFull, looser }: Found): RejectedAlternative[] {
  const rejections = createRejections();
  const nameOf = (host: number) => hostAt(space.model.snapshot, host).hostname;
  for (const { host, because } of refused) rejections.add(because, nameOf(host));
  if (looser >= 0) rejections.add('looser-fit', nameOf(looser));
  if (tooFull.nearest < 0) return rejections.list();
  const full = { alternative: nameOf(tooFull.nearest), because: scarceConstraint(space), others: tooFull.count - 1 };
  return [full, ...rejections.list()];
}

/** The constraint that refused most destinations, `no-other-host` when there was none to ask. */
export function mainObstacle(space: Workspace, { refused, tooFull }: Found): string {
  const counts = new Map<string, number>();
  if (tooFull.count > 0) counts.set(scarceConstraint(space), tooFull.count);
  for (const { because } of refused) counts.set(because, (counts.get(because) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? 'no-other-host';
}

function scarceConstraint(space: Workspace): string {
  return space.scarce === 'vcpus' ? 'vcpu' : 'memory';
}
