import type { WhatIf } from '#libs/cluster-model';
import type { ProposedAction } from '#libs/plugin-kit';
import { moveWithAllocations } from '../hosts/allocation-values.ts';
import { hostAt, instanceAt, instanceLabel } from '../hosts/rows.ts';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { migrateAction, migrationTypeOf } from './actions.ts';

/**
 * Returns instances to a host that they left for its maintenance. Instances that cannot return count as blocked. The
 * model must already have the host enabled.
 * @param departures last host that an instance left, by uuid
 */
export function bringBack(
  model: WhatIf,
  host: number,
  departures: Readonly<Record<string, string>>,
  blocked: BlockedTally,
): ProposedAction[] {
  const home = hostAt(model.snapshot, host);
  const left = Object.keys(departures).filter((uuid) => departures[uuid] === home.hostname);
  const rows = left.flatMap((uuid) => model.instanceRow(uuid) ?? []).sort((a, b) => a - b);
  return rows.flatMap((instance) => {
    const from = model.hostOf[instance] as number;
    // Instances that the plan already moves wait for the next plan. When Nova chooses, their source is unknown.
    if (from === host || from !== model.snapshot.instances.host[instance]) return [];
    const info = instanceAt(model.snapshot, instance);
    const way = migrationTypeOf(model.snapshot, instance);
    const refusal = model.refusal(instance, host, { way });
    if (refusal !== null) {
      blocked.add(refusal, instanceLabel(info));
      return [];
    }
    return migrateAction(info, way, hostAt(model.snapshot, from), home, {
      rule: 'bring-back',
      summary: `${instanceLabel(info)} goes back to ${home.hostname}, which it left for maintenance.`,
      values: moveWithAllocations(model, instance, host),
      rejected: [],
    });
  });
}
