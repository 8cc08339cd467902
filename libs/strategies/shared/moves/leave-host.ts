import { conditionOf, hostFlag, type WhatIf } from '#libs/cluster-model';
import { counted, type MoveWay, moveRefusal, type ServerCondition } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { moveWithAllocations } from '../hosts/allocation-values.ts';
import { hostAt, instanceAt, instanceLabel } from '../hosts/rows.ts';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { disableAction, migrateAction } from './actions.ts';
import { findRoom, type Room } from './find-room.ts';
import { novaChooses } from './free-choice.ts';

/** How an instance of the host is handled. Null when nothing is possible. */
export type Handling = Exclude<MoveWay, 'evacuate'> | 'stop' | null;

/** Disabled reason of a compute service in maintenance, as in Watcher. */
export const maintenanceReason = 'watcher_maintaining';

/** Schema properties for the ways by which instances may leave a host. */
export const leaveProperties = {
  disable_live_migration: {
    'x-texts': { de: { title: 'Keine Live-Migration' } },
    description: 'Never migrate live; active instances are migrated cold.',
    type: 'boolean',
    default: false,
  },
  disable_cold_migration: {
    'x-texts': { de: { title: 'Keine Cold-Migration' } },
    description: 'Never migrate cold. Together with disable_live_migration active instances are stopped.',
    type: 'boolean',
    default: false,
  },
} as const;

/** Allowed ways to leave a host. */
export type LeaveParameters = { [Name in keyof typeof leaveProperties]: boolean };

/** A host to empty for maintenance. */
export interface LeaveTask {
  model: WhatIf;
  source: number;
  /** Row of the backup node, −1 when there is none. */
  backup: number;
  /** Hosts that are only used when no other has room. Destinations are then named. Default: none, and Nova chooses. */
  shun?: ReadonlySet<number>;
  parameters: LeaveParameters;
  blocked: BlockedTally;
}

/** Whether the compute service is disabled in the cloud, regardless of changes in the model. */
export function isDisabled(model: WhatIf, host: number): boolean {
  return ((model.snapshot.hosts.flags[host] as number) & hostFlag.enabled) === 0;
}

/** Disables the compute service of the host. Empty when it is already in maintenance. */
export function disableSource(model: WhatIf, source: number): ProposedAction[] {
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

/**
 * Moves (or stops) the instances of the host, as many as possible. Others count as blocked. The model must already
 * have the host disabled.
 */
export function leaveHost(task: LeaveTask): ProposedAction[] {
  const instances = [...task.model.instancesOn(task.source)].sort((a, b) => a - b);
  return instances.flatMap((instance) => handle(task, instance) ?? []);
}

function roomFor(task: LeaveTask, instance: number, way: 'live' | 'cold'): Room {
  const { model, backup, source, shun } = task;
  if (backup < 0) {
    const room = shun ? findRoom(model, instance, source, { way, avoid: shun }) : null;
    return room && room.host >= 0 ? room : findRoom(model, instance, source, { way });
  }
  const refusal = model.refusal(instance, backup, { way });
  if (refusal === null) return { host: backup, mainConstraint: null, rejected: [] };
  const elsewhere = findRoom(model, instance, source, { way });
  const rejected = { alternative: hostAt(model.snapshot, backup).hostname, because: refusal, others: 0 };
  return { ...elsewhere, rejected: [rejected, ...elsewhere.rejected] };
}

function stopAction(task: LeaveTask, instance: number): ProposedAction {
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

function moveAction(task: LeaveTask, instance: number, type: 'live' | 'cold'): ProposedAction | null {
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
  const isBackup = room.host === backup;
  const named = isBackup || task.shun !== undefined;
  const there = isBackup ? `to the backup node ${to.hostname}` : `to ${to.hostname}`;
  const where = named ? there : `${novaChooses} (${to.hostname} has room)`;
  return migrateAction(info, type, from, named ? to : null, {
    rule: 'evacuate-host',
    summary:
      `${instanceLabel(info)} leaves ${from.hostname} by ${type} migration ${where}; ` +
      `remaining after it: ${counted(model.instancesOn(source).length, 'instance')}.`,
    values,
    rejected: room.rejected,
  });
}

function handle(task: LeaveTask, instance: number): ProposedAction | null {
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

/**
 * How an instance leaves the host: live if Nova supports it, else cold, unless disabled. An active instance is stopped
 * when both are disabled.
 */
export function chooseMove(server: ServerCondition, liveDisabled: boolean, coldDisabled: boolean): Handling {
  if (!liveDisabled && moveRefusal('live', server) === null) return 'live';
  if (!coldDisabled && moveRefusal('cold', server) === null) return 'cold';
  return liveDisabled && coldDisabled && server.vmState === 'active' ? 'stop' : null;
}
