import type { WhatIf } from '#libs/cluster-model';
import type { RejectedAlternative } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { moveWithAllocations } from '../shared/hosts/allocation-values.ts';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';
import {
  disableAction,
  disableFreedAction,
  enableAction,
  migrateAction,
  migrationTypeOf,
} from '../shared/moves/actions.ts';
import { novaChooses } from '../shared/moves/free-choice.ts';
import { createRejections } from '../shared/report/blocked-tally.ts';
import type { Groups, Placement, Source } from './group-hosts.ts';

const disabledReason = 'Watcher node resource consolidation strategy';
/** Maximum number of other destinations that an explanation checks. */
const explainedHosts = 16;

/** Disables hosts during the plan, so that Nova does not choose them. */
export function disableForPlan(model: WhatIf, hosts: readonly number[], free: ReadonlySet<number>): ProposedAction[] {
  return hosts.map((row) => {
    const host = hostAt(model.snapshot, row);
    const why = free.has(row) ? 'has no instance and shall stay so' : 'is being emptied';
    const disable = free.has(row) ? disableAction : disableFreedAction;
    return disable(host, disabledReason, {
      rule: 'keep-new-instances-away',
      summary: `${host.hostname} ${why}; Nova must not choose it as a destination while the plan runs.`,
      values: [{ quantity: 'enabled', subject: host.hostname, unit: '', before: 1, after: 0 }],
      rejected: [],
    });
  });
}

/** Enables the hosts that the plan has disabled. */
export function enableAfterPlan(model: WhatIf, hosts: readonly number[]): ProposedAction[] {
  return hosts.map((row) => {
    const host = hostAt(model.snapshot, row);
    return enableAction(host, {
      rule: 'back-to-service',
      summary: `${host.hostname} was disabled for the time of the plan only.`,
      values: [{ quantity: 'enabled', subject: host.hostname, unit: '', before: 0, after: 1 }],
      rejected: [],
    });
  });
}

function rejectedHosts(model: WhatIf, destinations: readonly number[], { instance, to }: Placement) {
  const rejections = createRejections((host) => hostAt(model.snapshot, host).hostname);
  for (const host of destinations.slice(0, explainedHosts)) {
    if (host === to) continue;
    rejections.add(model.refusal(instance, host) ?? 'looser-fit', host);
  }
  return rejections.list();
}

function migrate(
  model: WhatIf,
  source: Source,
  placement: Placement,
  named: boolean,
  rejected: RejectedAlternative[],
): ProposedAction {
  const { instance, to } = placement;
  const info = instanceAt(model.snapshot, instance);
  const from = hostAt(model.snapshot, source.host);
  const destination = hostAt(model.snapshot, to);
  const free = model.free(to).vcpus;
  const values = moveWithAllocations(model, instance, to);
  const room = `${destination.hostname} has ${shortNumber(free)} free vcpus`;
  const where = named
    ? `goes to ${destination.hostname}: ${room}, the least that suffice`
    : `moves ${novaChooses} (${room})`;
  return migrateAction(info, migrationTypeOf(model.snapshot, instance), from, named ? destination : null, {
    rule: 'empty-least-allocated-host',
    summary: `${instanceLabel(info)} leaves ${from.hostname}, whose instances (${source.placements.length}) all fit elsewhere, and ${where}.`,
    values,
    rejected,
  });
}

/** The migrations of all sources. `model` is the state before the plan. The moves are applied to it. */
export function migrateAll(model: WhatIf, { sources, destinations }: Groups, named: boolean): ProposedAction[] {
  return sources.flatMap((source) =>
    source.placements.map((placement) =>
      migrate(model, source, placement, named, rejectedHosts(model, destinations, placement)),
    ),
  );
}
