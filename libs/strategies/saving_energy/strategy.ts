import type { WhatIf } from '#libs/cluster-model';
import type { ActionReason } from '#libs/domain';
import { counted } from '#libs/domain';
import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { acceptingHosts, hostAt } from '../shared/hosts/rows.ts';
import { disableAction, enableAction, freedReason, powerAction } from '../shared/moves/actions.ts';
import { createBlockedTally } from '../shared/report/blocked-tally.ts';
import { ModelMissingError } from '../shared/report/errors.ts';
import { createFailureReserve, type FailureReserve } from '../shared/reserve/failure-reserve.ts';
import { type SavingEnergyParameters, savingEnergyParameters } from './parameters.ts';
import { type HostPools, type PoweredHost, sortHosts } from './sort-hosts.ts';

/** Manifest of `saving_energy`. */
const savingEnergyManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'saving_energy',
  displayName: 'Saving Energy Strategy',
  goal: 'saving_energy',
  description:
    'Keeps a reserve of powered-on hosts without instances, and switches off the others. When the reserve is too ' +
    'small, it switches hosts on. Requires a bare metal service with the machines of the compute nodes.',
  parameters: savingEnergyParameters,
  metrics: [],
  models: ['compute', 'baremetal'],
  planner: 'resource',
  needsCompleteModel: true,
};

/** Number of free hosts that stay on. */
function reserveOf({ withInstances }: HostPools, parameters: SavingEnergyParameters): number {
  const share = (withInstances * parameters.free_used_percent) / 100;
  return Math.max(0, Math.trunc(Math.max(share, parameters.min_free_hosts_num)));
}

/** Rank by size: vcpus, then memory. Ties are ordered by row, so the same cloud gives the same choice. */
function bySize(model: WhatIf): (a: PoweredHost, b: PoweredHost) => number {
  return (a, b) => {
    const [one, other] = [model.capacity(a.row), model.capacity(b.row)];
    return one.vcpus - other.vcpus || one.memory - other.memory;
  };
}

function reasonOf(
  model: WhatIf,
  host: PoweredHost,
  state: 'on' | 'off',
  pools: HostPools,
  reserve: number,
): ActionReason {
  const { hostname } = hostAt(model.snapshot, host.row);
  const on = pools.freeOn.length;
  const requested = `${reserve} free hosts are to be on for ${pools.withInstances} hosts with instances`;
  return {
    rule: state === 'off' ? 'surplus-of-free-hosts' : 'reserve-too-small',
    summary:
      state === 'off'
        ? `${hostname} has no instance; ${on} such hosts are on, and ${requested}.`
        : `${hostname} is switched on, since ${on} free hosts are on, and ${requested}.`,
    values: [
      {
        quantity: 'powered_on',
        subject: hostname,
        unit: '',
        before: state === 'off' ? 1 : 0,
        after: state === 'off' ? 0 : 1,
      },
    ],
    rejected: [],
  };
}

/** A host is disabled before it is powered off, so that Nova schedules nothing to it. */
function switchOff(model: WhatIf, host: PoweredHost, reason: ActionReason): ProposedAction[] {
  const info = hostAt(model.snapshot, host.row);
  const off = powerAction(host.node, info, 'off', reason);
  return host.disabled ? [off] : [disableAction(info, freedReason, { ...reason, values: [] }), off];
}

/** A host that was disabled when it was powered off is enabled. Nova uses it when its service reports. */
function switchOn(model: WhatIf, host: PoweredHost, reason: ActionReason): ProposedAction[] {
  const info = hostAt(model.snapshot, host.row);
  const on = powerAction(host.node, info, 'on', reason);
  return host.disabled ? [on, enableAction(info, { ...reason, values: [] })] : [on];
}

/**
 * Whether the failure domains of a host keep their reserve without it. Hosts that accept no instances are no reserve.
 */
function isDispensable(model: WhatIf, domains: FailureReserve, { row }: PoweredHost): boolean {
  if (model.enabled[row] !== 1) return true;
  if (domains.needs(row)) return false;
  if (domains.release(row, [])) return true;
  domains.keep(row, []);
  return false;
}

function choose(model: WhatIf, pools: HostPools, reserve: number, domains: FailureReserve): ProposedAction[] {
  const { freeOn, freeOff } = pools;
  const size = bySize(model);
  const surplus = freeOn.length - reserve;
  if (surplus > 0) {
    const order = [...freeOn].sort((a, b) => Number(b.disabled) - Number(a.disabled) || size(a, b) || a.row - b.row);
    const chosen: PoweredHost[] = [];
    for (const host of order) {
      if (chosen.length === surplus) break;
      if (isDispensable(model, domains, host)) chosen.push(host);
    }
    return chosen.flatMap((host) => switchOff(model, host, reasonOf(model, host, 'off', pools, reserve)));
  }
  const order = [...freeOff].sort((a, b) => size(b, a) || a.row - b.row);
  return order.slice(0, -surplus).flatMap((host) => switchOn(model, host, reasonOf(model, host, 'on', pools, reserve)));
}

function whyEmpty({ withInstances, freeOn, freeOff, foreign }: HostPools, reserve: number, reserved: boolean): string {
  if (withInstances + freeOn.length + freeOff.length === 0)
    return foreign === 0
      ? 'bare metal has no machine'
      : 'no machine of bare metal carries a compute node that this audit may use (extra.compute_node_id)';
  if (freeOn.length === reserve)
    return `${counted(reserve, 'free host', ['is', 'are'])} on, which is the requested reserve`;
  if (freeOn.length > reserve && reserved)
    return `${counted(freeOn.length, 'free host', ['is', 'are'])} on, which failure domains need as their reserve`;
  return `${counted(freeOn.length, 'free host', ['is', 'are'])} on where ${reserve} should be, and no other host can be switched on`;
}

/** Powers free hosts off or on. Throws ModelMissingError without a bare metal model. */
export const savingEnergyStrategy: StrategyPlugin<SavingEnergyParameters> = {
  manifest: savingEnergyManifest,
  async run({ model, baremetal, parameters }): Promise<StrategyResult> {
    if (baremetal === undefined) throw new ModelMissingError('saving_energy', 'baremetal');
    const blocked = createBlockedTally();
    const pools = sortHosts(model, baremetal, blocked);
    const reserve = reserveOf(pools, parameters);
    const domains = createFailureReserve(model, acceptingHosts(model), parameters.failure_reserve ?? 1);
    const actions = choose(model, pools, reserve, domains);
    const reserveNotes = domains.report(blocked);
    const { snapshot } = model;
    const notes = [
      `${counted(pools.withInstances, 'host', ['has', 'have'])} instances; free hosts: ${pools.freeOn.length} on, ` +
        `${pools.freeOff.length} off, ${reserve} required`,
    ];
    notes.push(...reserveNotes);
    if (pools.foreign > 0)
      notes.push(`${counted(pools.foreign, 'machine', ['carries', 'carry'])} no compute node of this audit`);
    return {
      actions,
      indicators: {},
      report: {
        hosts: { considered: snapshot.hostInfo.length, eligible: pools.freeOn.length + pools.freeOff.length },
        instances: { considered: snapshot.instanceInfo.length, eligible: 0 },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(pools, reserve, reserveNotes.length > 0),
        notes,
      },
    };
  },
};
