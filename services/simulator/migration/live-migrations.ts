import { messageOf, moveRules } from '#libs/domain';
import type { MigrationRecord, SimulatedHost, SimulatedServer } from '../cloud/entities.ts';
import { type Caller, recordAction } from '../compute/server-operations.ts';
import { requireState } from '../compute/server-status.ts';
import { SimulatedApiError } from '../errors.ts';
import { createLiveSteps, type LiveMigrationOptions, type RunningMigration } from './live-steps.ts';
import { type MigrationDeps, openRecord } from './migration-support.ts';

export interface LiveMigrations {
  /**
   * Starts a migration. With `requested` null, the scheduler chooses the host. With `wait` (Nova before 2.34) a refusal
   * of the scheduler is thrown, otherwise it is visible only in the migration record. @throws SimulatedApiError
   */
  start(server: SimulatedServer, requested: SimulatedHost | null, caller: Caller, wait: boolean): MigrationRecord;
  /** Aborts a queued, preparing or running migration. @throws SimulatedApiError 400 for others */
  abort(record: MigrationRecord): void;
  /** Completes the copy of a running migration immediately. @throws SimulatedApiError 400 for others */
  forceComplete(record: MigrationRecord): void;
  /** Ends migrations from and to the host, or of the server, in `error`. */
  failThoseOf(party: SimulatedHost | SimulatedServer, reason: string): void;
  /** Copies the progress into the record, for responses. */
  refresh(record: MigrationRecord): void;
}

/** Live migration with Nova's states: accepted, queued, preparing, running, post-migrating, completed. */
export function createLiveMigrations(deps: MigrationDeps, options: LiveMigrationOptions = {}): LiveMigrations {
  const { clock, timeline } = deps;
  const running = new Map<MigrationRecord, RunningMigration>();
  const { schedule, prepare, finish, settle, refresh } = createLiveSteps(deps, options, running);

  return {
    start(server, requested, caller, wait) {
      requireState(server, 'os-migrateLive', moveRules.live.vmStates);
      const record = openRecord(deps, server, 'live-migration', server.flavor, caller);
      const finishAction = recordAction(clock, server, 'live-migration', caller);
      server.taskState = 'migrating';
      server.updatedAt = clock.now();
      const one: RunningMigration = { record, finishAction, transfer: null, callOff: () => undefined };
      running.set(record, one);
      const place = () => {
        try {
          prepare(one, schedule(record, requested));
        } catch (error) {
          settle(one, 'error', messageOf(error));
          if (wait) throw new SimulatedApiError(400, messageOf(error));
        }
      };
      if (wait) place();
      else one.callOff = timeline.after(options.scheduleSeconds ?? 0.5, place);
      return record;
    },
    abort(record) {
      const one = running.get(record);
      if (one === undefined || !['queued', 'preparing', 'running'].includes(record.status)) {
        throw new SimulatedApiError(
          400,
          `Instance ${record.server.uuid} in migration ${record.id} is in state ${record.status}: it can not be aborted`,
        );
      }
      refresh(record);
      settle(one, 'cancelled', null);
    },
    forceComplete(record) {
      const one = running.get(record);
      if (one?.transfer === undefined || one.transfer === null || record.status !== 'running') {
        throw new SimulatedApiError(400, `Migration ${record.id} of instance ${record.server.uuid} is not running`);
      }
      one.transfer.cancel();
      finish(one);
    },
    failThoseOf(party, reason) {
      for (const one of [...running.values()]) {
        const { source, dest, server } = one.record;
        if (source === party || dest === party || server === party) settle(one, 'error', reason);
      }
    },
    refresh,
  };
}
