import { moveRules } from '#libs/domain';
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
import { type ColdMigrationOptions, createColdSteps, type RunningColdMigration } from './cold-steps.ts';
import { type MigrationDeps, openRecord, placeOn, returnToSource, setStatus } from './migration-support.ts';

export interface ColdMigrations {
  /**
   * Cold migration (`newFlavor` null) or resize. A refusal of the scheduler is visible only in the migration record.
   */
  start(
    server: SimulatedServer,
    wanted: { host: SimulatedHost | null; newFlavor: SimulatedFlavor | null },
    caller: Caller,
  ): MigrationRecord;
  /** Keeps the server on its current host. @throws SimulatedApiError */
  confirm(server: SimulatedServer, caller: Caller): void;
  /** Returns the server to its previous host. @throws SimulatedApiError */
  revert(server: SimulatedServer, caller: Caller): void;
  /** Ends migrations from and to the host, or of the server, in `error`. */
  failThoseOf(party: SimulatedHost | SimulatedServer, reason: string): void;
}

/**
 * Cold migration with Nova's states: pre-migrating, migrating, post-migrating, finished, then confirmed or reverted.
 */
export function createColdMigrations(deps: MigrationDeps, options: ColdMigrationOptions = {}): ColdMigrations {
  const { clock, timeline } = deps;
  const running = new Map<MigrationRecord, RunningColdMigration>();
  const { task, step, migrate, fail } = createColdSteps(deps, options, running);

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
