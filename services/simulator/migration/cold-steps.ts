import { messageOf } from '#libs/domain';
import { isUp, type MigrationRecord, type SimulatedHost, type SimulatedServer } from '../cloud/entities.ts';
import { SimulatedApiError } from '../errors.ts';
import { selectHost } from '../scheduler/select-host.ts';
import { createColdCopy } from './copy-model.ts';
import {
  claimDestination,
  diskToCopyMib,
  type MigrationDeps,
  placeOn,
  returnToSource,
  setStatus,
} from './migration-support.ts';

export interface ColdMigrationOptions {
  /** Simulated seconds: to schedule, to shut the guest down, to boot it. Defaults 0.5, 5, 8. */
  scheduleSeconds?: number;
  shutdownSeconds?: number;
  bootSeconds?: number;
}

/** A cold migration before its arrival. */
export interface RunningColdMigration {
  cancel: () => void;
  finishAction: (fault?: string) => void;
}

/** The steps of a cold migration, from one status to the next. */
export interface ColdSteps {
  /** Sets the task state in Nova's API. */
  task(server: SimulatedServer, taskState: string | null): void;
  /** Runs the next step after `seconds`, unless the migration ends before. */
  step(record: MigrationRecord, seconds: number, run: () => void): void;
  /** Schedules it, and then runs it to its end. */
  migrate(record: MigrationRecord, requested: SimulatedHost | null): void;
  fail(record: MigrationRecord, reason: string): void;
}

/** @param running migrations before their arrival. Arrived and failed ones are removed. */
export function createColdSteps(
  deps: MigrationDeps,
  options: ColdMigrationOptions,
  running: Map<MigrationRecord, RunningColdMigration>,
): ColdSteps {
  const { clock, timeline, state } = deps;

  function task(server: SimulatedServer, taskState: string | null): void {
    server.taskState = taskState;
    server.updatedAt = clock.now();
  }
  function fail(record: MigrationRecord, reason: string): void {
    const one = running.get(record);
    running.delete(record);
    one?.cancel();
    record.reason = reason;
    returnToSource(deps, record);
    record.server.powerState = record.server.vmState === 'active' ? 1 : 4;
    task(record.server, null);
    setStatus(deps, record, 'error');
    one?.finishAction(reason);
  }
  function step(record: MigrationRecord, seconds: number, run: () => void): void {
    const one = running.get(record);
    if (one !== undefined) one.cancel = timeline.after(seconds, run);
  }
  function migrate(record: MigrationRecord, requested: SimulatedHost | null): void {
    const { server } = record;
    try {
      const failure = deps.faults.failureAt('schedule', server, record.source, requested);
      if (failure !== null) throw new SimulatedApiError(400, failure);
      claimDestination(deps, record, selectHost({ server, flavor: record.newFlavor, requested, way: 'cold' }, deps));
    } catch (error) {
      fail(record, messageOf(error));
      return;
    }
    setStatus(deps, record, 'migrating');
    task(server, 'resize_migrating');
    step(record, options.shutdownSeconds ?? 5, () => copyDisk(record));
  }
  function copyDisk(record: MigrationRecord): void {
    const { server, source } = record;
    const dest = record.dest as SimulatedHost;
    const failure = deps.faults.failureAt('running', server, source, dest);
    if (failure !== null || !isUp(dest)) {
      fail(record, failure ?? `host ${dest.name} is down`);
      return;
    }
    server.powerState = 4;
    const diskMib = diskToCopyMib(state, server);
    record.disk = { totalMib: diskMib, processedMib: 0, remainingMib: diskMib };
    const done = () => {
      record.disk = { totalMib: diskMib, processedMib: diskMib, remainingMib: 0 };
      setStatus(deps, record, 'post-migrating');
      task(server, 'resize_finish');
      step(record, options.bootSeconds ?? 8, () => arrive(record));
    };
    const one = running.get(record);
    if (diskMib === 0) done();
    else if (one !== undefined) one.cancel = deps.transfers.start(source, dest, createColdCopy(diskMib), done).cancel;
  }
  function arrive(record: MigrationRecord): void {
    const { server } = record;
    const oldVmState = server.vmState === 'stopped' ? 'stopped' : 'active';
    server.pendingResize = { migration: record, oldFlavor: server.flavor, oldHost: record.source, oldVmState };
    placeOn(server, record.dest as SimulatedHost);
    server.flavor = record.newFlavor;
    server.vmState = 'resized';
    server.powerState = oldVmState === 'active' ? 1 : 4;
    task(server, null);
    setStatus(deps, record, 'finished');
    running.get(record)?.finishAction();
    running.delete(record);
  }

  return { task, step, migrate, fail };
}
