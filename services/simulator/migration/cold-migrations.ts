import { messageOf, moveRules } from '#libs/domain';
import {
  isUp,
  type MigrationRecord,
  type SimulatedFlavor,
  type SimulatedHost,
  type SimulatedServer,
} from '../cloud/entities.ts';
import { type Caller, recordAction } from '../compute/server-operations.ts';
import { requireState } from '../compute/server-status.ts';
import { SimulatedApiError } from '../errors.ts';
import { selectHost } from '../scheduler/select-host.ts';
import { createColdCopy } from './copy-model.ts';
import {
  claimDestination,
  diskToCopyMib,
  type MigrationDeps,
  openRecord,
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

export interface ColdMigrations {
  /** Cold migration (`newFlavor` null) or resize. The scheduler's refusal shows only in the migration record. */
  start(
    server: SimulatedServer,
    wanted: { host: SimulatedHost | null; newFlavor: SimulatedFlavor | null },
    caller: Caller,
  ): MigrationRecord;
  /** Keeps the server where it is now. Throws SimulatedApiError. */
  confirm(server: SimulatedServer, caller: Caller): void;
  /** Brings the server back. Throws SimulatedApiError. */
  revert(server: SimulatedServer, caller: Caller): void;
  /** Ends those that leave or enter the host, or move the server, in `error`. */
  failThoseOf(party: SimulatedHost | SimulatedServer, reason: string): void;
}

/** Cold migration as Nova shows it: pre-migrating, migrating, post-migrating, finished, then confirmed or reverted. */
export function createColdMigrations(deps: MigrationDeps, options: ColdMigrationOptions = {}): ColdMigrations {
  const { clock, timeline, state } = deps;
  const running = new Map<MigrationRecord, { cancel: () => void; finishAction: (fault?: string) => void }>();

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
    else if (one !== undefined) one.cancel = deps.transfers.begin(source, dest, createColdCopy(diskMib), done).cancel;
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
  function pendingOf(server: SimulatedServer, action: string) {
    requireState(server, action, ['resized']);
    if (server.pendingResize === null) throw new SimulatedApiError(400, 'Instance has not been resized.');
    return server.pendingResize;
  }

  return {
    start(server, wanted, caller) {
      const type = wanted.newFlavor === null ? 'migration' : 'resize';
      const name = wanted.newFlavor === null ? 'migrate' : 'resize';
      requireState(server, name, moveRules.cold.vmStates);
      if (!isUp(server.host)) throw new SimulatedApiError(409, 'Service is unavailable at this time.');
      const record = openRecord(deps, server, type, wanted.newFlavor ?? server.flavor, caller);
      running.set(record, { cancel: () => undefined, finishAction: recordAction(clock, server, name, caller) });
      task(server, 'resize_prep');
      step(record, options.scheduleSeconds ?? 0.5, () => migrate(record, wanted.host));
      return record;
    },
    confirm(server, caller) {
      const pending = pendingOf(server, 'confirmResize');
      const finish = recordAction(clock, server, 'confirmResize', caller);
      deps.ledger.release(pending.migration.uuid, pending.oldHost);
      setStatus(deps, pending.migration, 'confirmed');
      server.vmState = pending.oldVmState;
      server.pendingResize = null;
      task(server, null);
      finish();
    },
    revert(server, caller) {
      const pending = pendingOf(server, 'revertResize');
      const finish = recordAction(clock, server, 'revertResize', caller);
      setStatus(deps, pending.migration, 'reverting');
      task(server, 'resize_reverting');
      timeline.after(options.bootSeconds ?? 8, () => {
        returnToSource(deps, pending.migration);
        placeOn(server, pending.oldHost);
        server.flavor = pending.oldFlavor;
        server.vmState = pending.oldVmState;
        server.pendingResize = null;
        task(server, null);
        setStatus(deps, pending.migration, 'reverted');
        finish();
      });
    },
    failThoseOf(party, reason) {
      for (const record of [...running.keys()]) {
        const { source, dest, server } = record;
        if (source === party || dest === party || server === party) fail(record, reason);
      }
    },
  };
}
