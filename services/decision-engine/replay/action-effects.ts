import { migratingActionTypes, powerActionTypes, serviceActionTypes } from '#libs/domain';
import type { PlannedAction } from '#libs/plugin-kit';
import type { DayCloud } from './day-cloud.ts';

/** Speed of a migration, in MB/s: half of a 1 Gbit/s network, as in CloudSim. */
const migrationSpeed = 62.5;
/** Seconds that a machine needs to power on, and to power off. */
const powerSeconds = { on: 180, off: 60 };

/** Records of the effects of a plan's actions. */
export interface EffectRecords {
  /** Rows of the instances that are migrating. */
  migrating: ReadonlySet<number>;
  refused: readonly string[];
  /** Finished moves: rows of instance, source and destination. */
  moved: readonly { instance: number; from: number; to: number; at: number }[];
  /** Hosts that the plan disabled and enabled, in order. `at` is in seconds. */
  services: readonly { hostname: string; enabled: boolean; at: number }[];
}

/** A running action. */
export interface Step {
  /** In seconds. */
  duration: number;
  end(at: number): void;
}

/** An action without a duration: refused, skipped, or immediate. */
const instantStep: Step = { duration: 0, end: () => undefined };

/** Effects of actions on the cloud of a replay. */
export interface ActionEffects extends EffectRecords {
  /** Starts an action at `second`, or refuses it as Nova would. */
  begin(action: PlannedAction, second: number): Step;
}

/** Creates the effects before any action. */
export function createActionEffects(cloud: DayCloud): ActionEffects {
  const refused: string[] = [];
  const migrating = new Set<number>();
  const moved: { instance: number; from: number; to: number; at: number }[] = [];
  const services: { hostname: string; enabled: boolean; at: number }[] = [];

  function refuse(action: PlannedAction, why: string): Step {
    refused.push(`${action.actionType} of ${String(action.inputParameters.resource_name)}: ${why}`);
    return instantStep;
  }

  function migrate(action: PlannedAction): Step {
    const { resource_id: uuid, source_node: source, destination_node: destination } = action.inputParameters;
    const instance = cloud.instanceRow(String(uuid));
    const from = cloud.hostRow(String(source));
    const to = destination === undefined ? cloud.schedule(instance) : cloud.hostRow(String(destination));
    const present = cloud.hostOf[instance] ?? -1;
    // The instance was deleted, or moved by the failure of its host. The applier skips the action.
    if (present !== from) return instantStep;
    if (to < 0 || !cloud.isUsable(to) || !cloud.hasRoom(to, instance)) return refuse(action, 'no valid host');
    migrating.add(instance);
    return {
      duration: (cloud.world.instances[instance]?.memoryMb ?? 0) / migrationSpeed,
      end(at) {
        migrating.delete(instance);
        if (cloud.hostOf[instance] !== from || !cloud.isUsable(to)) return;
        cloud.hostOf[instance] = to;
        cloud.moves[instance] = (cloud.moves[instance] ?? 0) + 1;
        moved.push({ instance, from, to, at });
      },
    };
  }

  function changeService(action: PlannedAction, at: number): Step {
    const { resource_name: hostname, state, disabled_reason: reason } = action.inputParameters;
    const host = cloud.hosts[cloud.hostRow(String(hostname))];
    if (host === undefined) return refuse(action, 'no such host');
    host.enabled = state === 'enabled';
    host.disabledReason = host.enabled ? null : String(reason ?? 'watcher_disabled');
    services.push({ hostname: String(hostname), enabled: host.enabled, at });
    return instantStep;
  }

  function changePower(action: PlannedAction): Step {
    const { resource_name: name, state } = action.inputParameters;
    const row = cloud.hostRow(String(name));
    const host = cloud.hosts[row];
    if (host === undefined) return refuse(action, 'no such machine');
    if (state !== 'on' && cloud.hostOf.includes(row)) return refuse(action, 'instances use it');
    const power = state === 'on' ? 'on' : 'off';
    host.power = 'changing';
    return {
      duration: powerSeconds[power],
      end() {
        host.power = power;
      },
    };
  }

  function begin(action: PlannedAction, second: number): Step {
    const { actionType } = action;
    if (migratingActionTypes.includes(actionType)) return migrate(action);
    if (serviceActionTypes.includes(actionType)) return changeService(action, second);
    if (powerActionTypes.includes(actionType)) return changePower(action);
    return actionType === 'nop' ? instantStep : refuse(action, 'a replay cannot carry it out');
  }

  return { begin, migrating, refused, moved, services };
}
