import { hostFlag, type WhatIf } from '#libs/cluster-model';
import { forcedDownText } from '#libs/domain';
import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { hostAt, namedHost } from '../shared/hosts/rows.ts';
import { enableAction } from '../shared/moves/actions.ts';
import { bringBack } from '../shared/moves/bring-back.ts';
import { isDisabled, maintenanceReason } from '../shared/moves/leave-host.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { type HostReturnParameters, hostReturnParameters } from './parameters.ts';

/** Manifest of `host_return`. */
const hostReturnManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'host_return',
  displayName: 'Return from Maintenance Strategy',
  goal: 'cluster_maintaining',
  description:
    'Ends a maintenance: enables compute nodes again, and optionally returns the instances that left them. Nodes ' +
    'that are down, or that another user disabled, are reported and stay unchanged.',
  parameters: hostReturnParameters,
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  byOrder: true,
  readsPast: true,
};

function isForcedDown({ snapshot }: WhatIf, host: number): boolean {
  return ((snapshot.hosts.flags[host] as number) & hostFlag.forcedDown) !== 0;
}

/** Whether the host has returned, with the required action. Null when it must stay disabled. */
function enable(model: WhatIf, host: number, anyReason: boolean, blocked: BlockedTally): ProposedAction[] | null {
  const info = hostAt(model.snapshot, host);
  const flags = model.snapshot.hosts.flags[host] as number;
  if (isForcedDown(model, host) || !(flags & hostFlag.up)) {
    blocked.add(isForcedDown(model, host) ? 'forced-down' : 'host-down', info.hostname);
    return null;
  }
  if (!isDisabled(model, host)) return [];
  if (info.disabledReason !== maintenanceReason && !anyReason) {
    blocked.add('disabled-by-others', info.hostname);
    return null;
  }
  return [
    enableAction(info, {
      rule: 'return',
      summary: `${info.hostname} returns from maintenance (${info.disabledReason ?? 'no reason was given'}).`,
      values: [{ quantity: 'enabled', subject: info.hostname, unit: '', before: 0, after: 1 }],
      rejected: [],
    }),
  ];
}

/** Enables hosts after maintenance. Throws InvalidInputError for a host that is not in the model. */
export const hostReturnStrategy: StrategyPlugin<HostReturnParameters> = {
  manifest: hostReturnManifest,
  async run({ model, parameters, past }): Promise<StrategyResult> {
    const hosts = parameters.compute_nodes.map((hostname) => namedHost(model, 'compute_nodes', hostname));
    const blocked = createBlockedTally();
    const back: number[] = [];
    const actions: ProposedAction[] = [];
    for (const host of hosts) {
      const enabling = enable(model, host, parameters.any_reason, blocked);
      if (enabling === null) continue;
      back.push(host);
      actions.push(...enabling);
      model.setEnabled(host, true);
    }
    const forcedDown = hosts.filter((host) => isForcedDown(model, host));
    const moves = parameters.bring_back ? back.flatMap((host) => bringBack(model, host, past.departures, blocked)) : [];
    actions.push(...moves);
    return {
      actions,
      indicators: {},
      report: {
        hosts: { considered: hosts.length, eligible: back.length },
        instances: { considered: Object.keys(past.departures).length, eligible: moves.length },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : emptyReason(back.length, hosts.length),
        notes: forcedDown.map((host) => `${forcedDownText(hostAt(model.snapshot, host).hostname)}.`),
      },
    };
  },
};

function emptyReason(back: number, all: number): string {
  if (back === 0) return 'no node can return now: they are down, forced down, or were disabled by others';
  return back === all
    ? 'the nodes are enabled already and no instances have to move back'
    : 'the nodes that are up are enabled already and no instances have to move back';
}
