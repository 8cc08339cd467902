import { hostFlag, type WhatIf } from '#libs/cluster-model';
import { counted, InvalidInputError } from '#libs/domain';
import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { hostAt, namedHost } from '../shared/hosts/rows.ts';
import { enableAction } from '../shared/moves/actions.ts';
import { nameWhereNeeded } from '../shared/moves/free-choice.ts';
import { disableSource, isDisabled, leaveHost } from '../shared/moves/leave-host.ts';
import { createBlockedTally } from '../shared/report/blocked-tally.ts';
import { type HostMaintenanceParameters, hostMaintenanceParameters } from './parameters.ts';

/** Manifest of `host_maintenance`. */
const hostMaintenanceManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'host_maintenance',
  displayName: 'Host Maintenance Strategy',
  goal: 'cluster_maintaining',
  description:
    'Empties one compute node for maintenance. It disables the compute service, then moves every instance to the ' +
    'backup node, or to the node that Nova chooses. It reports instances that cannot leave.',
  parameters: hostMaintenanceParameters,
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  byOrder: true,
};

/** Whether the total vcpus, memory and disk of the source fit on the backup node. */
function backupTakesAll(model: WhatIf, source: number, backup: number): boolean {
  const used = model.used(source);
  const free = model.free(backup);
  const up = ((model.snapshot.hosts.flags[backup] as number) & hostFlag.up) !== 0;
  return up && used.vcpus <= free.vcpus && used.memory <= free.memory && used.disk <= free.disk;
}

function enableBackup(model: WhatIf, backup: number, source: number): ProposedAction[] {
  if (!isDisabled(model, backup)) return [];
  const host = hostAt(model.snapshot, backup);
  return [
    enableAction(host, {
      rule: 'backup-node',
      summary: `${host.hostname} is disabled and has to take the instances of ${hostAt(model.snapshot, source).hostname}.`,
      values: [{ quantity: 'enabled', subject: host.hostname, unit: '', before: 0, after: 1 }],
      rejected: [],
    }),
  ];
}

function chooseBackup(model: WhatIf, source: number, name: string | undefined, notes: string[]): number {
  if (name === undefined || name === '') return -1;
  const backup = namedHost(model, 'backup_node', name);
  if (backup === source) throw new InvalidInputError('backup_node', 'must differ from maintenance_node');
  if (backupTakesAll(model, source, backup)) return backup;
  notes.push(`backup node ${name} cannot take all instances together; Nova chooses the destinations`);
  return -1;
}

/**
 * Empties a host. Throws InvalidInputError when the maintenance or backup node is not in the model. The scope of the
 * audit may exclude it.
 */
export const hostMaintenanceStrategy: StrategyPlugin<HostMaintenanceParameters> = {
  manifest: hostMaintenanceManifest,
  async run({ model, parameters }): Promise<StrategyResult> {
    const source = namedHost(model, 'maintenance_node', parameters.maintenance_node);
    const notes: string[] = [];
    const backup = chooseBackup(model, source, parameters.backup_node, notes);
    const blocked = createBlockedTally();
    const instances = [...model.instancesOn(source)];
    const actions = [
      ...(backup >= 0 && instances.length > 0 ? enableBackup(model, backup, source) : []),
      ...disableSource(model, source),
    ];
    model.setEnabled(source, false);
    if (backup >= 0) model.setEnabled(backup, true);
    const moves = leaveHost({ model, source, backup, parameters, blocked });
    actions.push(...moves);
    if (isDown(model, source) && instances.length > 0) {
      const name = parameters.maintenance_node;
      notes.push(`${name} is down: nothing leaves it by migration; once it is fenced, failed_host_evacuation helps`);
    }
    if (moves.length < instances.length) {
      notes.push(
        `${instances.length - moves.length} of ${counted(instances.length, 'instance')} cannot leave the host`,
      );
    }
    return {
      actions: nameWhereNeeded(model, actions),
      indicators: {},
      report: {
        hosts: { considered: model.snapshot.hostInfo.length, eligible: 1 },
        instances: { considered: instances.length, eligible: moves.length },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : emptyReason(parameters.maintenance_node, instances.length),
        notes,
      },
    };
  },
};

function isDown(model: WhatIf, host: number): boolean {
  const flags = model.snapshot.hosts.flags[host] as number;
  return (flags & hostFlag.up) === 0 || (flags & hostFlag.forcedDown) !== 0;
}

function emptyReason(hostname: string, left: number): string {
  return left === 0
    ? `${hostname} is already in maintenance and has no instance`
    : `${hostname} is already in maintenance and cannot be emptied (${counted(left, 'instance')})`;
}
