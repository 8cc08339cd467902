import type { WhatIf } from '#libs/cluster-model';
import { conditionOf, hostFlag } from '#libs/cluster-model';
import { InvalidInputError } from '#libs/domain';
import type { ProposedAction, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { disableAction, enableAction, migrateAction } from '../actions.ts';
import { moveWithAllocations } from '../allocation-values.ts';
import { type BlockedTally, createBlockedTally } from '../blocked-tally.ts';
import { counted } from '../counted.ts';
import { findRoom, type Room } from '../find-room.ts';
import { nameWhereNeeded } from '../free-choice.ts';
import { hostAt, instanceAt, instanceLabel } from '../rows.ts';
import { chooseMove } from './choose-move.ts';
import { hostMaintenanceManifest } from './manifest.ts';
import type { HostMaintenanceParameters } from './parameters.ts';

const maintenanceReason = 'watcher_maintaining';

function rowOf(model: WhatIf, parameter: string, hostname: string): number {
  const row = model.hostRow(hostname);
  if (row === undefined) {
    throw new InvalidInputError(parameter, `there is no compute node ${hostname} in the scope of the audit`);
  }
  return row;
}

/** Whether vcpus, memory and disk allocated on the source fit together on the backup node. */
function backupTakesAll(model: WhatIf, source: number, backup: number): boolean {
  const used = model.used(source);
  const free = model.free(backup);
  const up = ((model.snapshot.hosts.flags[backup] as number) & hostFlag.up) !== 0;
  return up && used.vcpus <= free.vcpus && used.memory <= free.memory && used.disk <= free.disk;
}

function isDisabled(model: WhatIf, host: number): boolean {
  return ((model.snapshot.hosts.flags[host] as number) & hostFlag.enabled) === 0;
}

function disableSource(model: WhatIf, source: number): ProposedAction[] {
  const host = hostAt(model.snapshot, source);
  if (isDisabled(model, source) && host.disabledReason === maintenanceReason) return [];
  const count = model.instancesOn(source).length;
  return [
    disableAction(host, maintenanceReason, {
      rule: 'maintenance',
      summary: `${host.hostname} goes into maintenance with ${counted(count, 'instance')}; nothing new may be scheduled to it.`,
      values: [
        { quantity: 'enabled', subject: host.hostname, unit: '', before: isDisabled(model, source) ? 0 : 1, after: 0 },
      ],
      rejected: [],
    }),
  ];
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

interface Task {
  model: WhatIf;
  source: number;
  /** Row of the backup node, −1 when Nova chooses. */
  backup: number;
  parameters: HostMaintenanceParameters;
  blocked: BlockedTally;
}

function roomFor(task: Task, instance: number, way: 'live' | 'cold'): Room {
  const { model, backup, source } = task;
  if (backup < 0) return findRoom(model, instance, source, { way });
  const refusal = model.refusal(instance, backup, { way });
  if (refusal === null) return { host: backup, mainConstraint: null, rejected: [] };
  const elsewhere = findRoom(model, instance, source, { way });
  const rejected = { alternative: hostAt(model.snapshot, backup).hostname, because: refusal, others: 0 };
  return { ...elsewhere, rejected: [rejected, ...elsewhere.rejected] };
}

function stopAction(task: Task, instance: number): ProposedAction {
  const info = instanceAt(task.model.snapshot, instance);
  const host = hostAt(task.model.snapshot, task.source).hostname;
  return {
    actionType: 'stop',
    inputParameters: { resource_id: info.uuid },
    reason: {
      rule: 'evacuate-by-stopping',
      summary: `${instanceLabel(info)} is stopped on ${host}, since live and cold migration are both switched off.`,
      values: [{ quantity: 'running', subject: info.uuid, unit: '', before: 1, after: 0 }],
      rejected: [
        { alternative: 'live migration', because: 'disable_live_migration', others: 0 },
        { alternative: 'cold migration', because: 'disable_cold_migration', others: 0 },
      ],
    },
  };
}

function moveAction(task: Task, instance: number, type: 'live' | 'cold'): ProposedAction | null {
  const { model, source, backup, blocked } = task;
  const info = instanceAt(model.snapshot, instance);
  const room = roomFor(task, instance, type);
  if (room.host < 0) {
    blocked.add(room.mainConstraint ?? 'no-other-host', instanceLabel(info));
    return null;
  }
  const from = hostAt(model.snapshot, source);
  const to = hostAt(model.snapshot, room.host);
  const values = moveWithAllocations(model, instance, room.host);
  const named = room.host === backup;
  const where = named ? `to the backup node ${to.hostname}` : `where Nova chooses (${to.hostname} has room)`;
  return migrateAction(info, type, from, named ? to : null, {
    rule: 'evacuate-host',
    summary:
      `${instanceLabel(info)} leaves ${from.hostname} by ${type} migration ${where}; ` +
      `remaining after it: ${counted(model.instancesOn(source).length, 'instance')}.`,
    values,
    rejected: room.rejected,
  });
}

function handle(task: Task, instance: number): ProposedAction | null {
  const { model, parameters, blocked } = task;
  const label = instanceLabel(instanceAt(model.snapshot, instance));
  const server = conditionOf(model.snapshot, instance);
  const way = chooseMove(server, parameters.disable_live_migration, parameters.disable_cold_migration);
  const immovable = model.immovable(instance, way === 'cold' ? 'cold' : undefined);
  if (immovable !== null) blocked.add(immovable, label);
  else if (way === null) blocked.add('migration-type-disabled', label);
  else return way === 'stop' ? stopAction(task, instance) : moveAction(task, instance, way);
  return null;
}

function chooseBackup(model: WhatIf, source: number, name: string | undefined, notes: string[]): number {
  if (name === undefined || name === '') return -1;
  const backup = rowOf(model, 'backup_node', name);
  if (backup === source) throw new InvalidInputError('backup_node', 'must differ from maintenance_node');
  if (backupTakesAll(model, source, backup)) return backup;
  notes.push(`backup node ${name} can not take all instances together; Nova chooses the destinations`);
  return -1;
}

/**
 * Empties a host. Throws InvalidInputError when the maintenance or backup node is not in the model (the scope of the audit
 * may hide it).
 */
export const hostMaintenanceStrategy: StrategyPlugin<HostMaintenanceParameters> = {
  manifest: hostMaintenanceManifest,
  async run({ model, parameters }): Promise<StrategyResult> {
    const source = rowOf(model, 'maintenance_node', parameters.maintenance_node);
    const notes: string[] = [];
    const backup = chooseBackup(model, source, parameters.backup_node, notes);
    const blocked = createBlockedTally();
    const task: Task = { model, source, backup, parameters, blocked };
    const instances = [...model.instancesOn(source)].sort((a, b) => a - b);
    const actions = [
      ...(backup >= 0 && instances.length > 0 ? enableBackup(model, backup, source) : []),
      ...disableSource(model, source),
    ];
    model.setEnabled(source, false);
    if (backup >= 0) model.setEnabled(backup, true);
    const moves = instances.flatMap((instance) => handle(task, instance) ?? []);
    actions.push(...moves);
    if (moves.length < instances.length) {
      notes.push(`${instances.length - moves.length} of ${instances.length} instances can not leave the host`);
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

function emptyReason(hostname: string, left: number): string {
  return left === 0
    ? `${hostname} is already in maintenance and has no instance`
    : `${hostname} is already in maintenance and none of its ${left} instances can leave`;
}
