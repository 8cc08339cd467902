import { messageOf, moveRefusal, moveRules } from '#libs/domain';
import { isUp, type MigrationRecord, type SimulatedHost, type SimulatedServer } from '../cloud/entities.ts';
import { type Caller, recordAction } from '../compute/server-operations.ts';
import { requireState } from '../compute/server-status.ts';
import { SimulatedApiError } from '../errors.ts';
import { serverCpuPercent, serverRamMb } from '../load/host-load.ts';
import { selectHost } from '../scheduler/select-host.ts';
import { createLiveCopy, dirtyRateOf } from './copy-model.ts';
import {
  claimDestination,
  diskToCopyMib,
  type MigrationDeps,
  openRecord,
  placeOn,
  returnToSource,
  setStatus,
} from './migration-support.ts';
import type { Transfer } from './transfer-engine.ts';

export interface LiveMigrationOptions {
  /** Simulated seconds: to schedule, to prepare the destination, to finish after the copy. Defaults 0.5, 2, 1. */
  scheduleSeconds?: number;
  prepareSeconds?: number;
  finishSeconds?: number;
  /** Maximum pause of a guest. Default 0.5 s, as in Nova. */
  maxDowntimeSeconds?: number;
}

export interface LiveMigrations {
  /**
   * Starts one. `requested` null leaves the host to the scheduler. With `wait` (Nova before 2.34) a refusal of the
   * scheduler is thrown, otherwise it shows only in the migration record. Throws SimulatedApiError.
   */
  start(server: SimulatedServer, requested: SimulatedHost | null, caller: Caller, wait: boolean): MigrationRecord;
  /** Stops a migration that is queued, being prepared or running. Throws SimulatedApiError 400 for others. */
  abort(record: MigrationRecord): void;
  /** Ends the copying of a running one at once. Throws SimulatedApiError 400 for others. */
  forceComplete(record: MigrationRecord): void;
  /** Ends those that leave or enter the host, or move the server, in `error`. */
  failThoseOf(party: SimulatedHost | SimulatedServer, reason: string): void;
  /** Copies the progress into the record, for responses. */
  refresh(record: MigrationRecord): void;
}

interface Running {
  record: MigrationRecord;
  finishAction: (fault?: string) => void;
  transfer: Transfer | null;
  callOff: () => void;
}

/** Live migration as Nova shows it: accepted, queued, preparing, running, post-migrating, completed. */
export function createLiveMigrations(deps: MigrationDeps, options: LiveMigrationOptions = {}): LiveMigrations {
  const { clock, timeline } = deps;
  const running = new Map<MigrationRecord, Running>();

  function settle(one: Running, status: 'completed' | 'error' | 'cancelled', reason: string | null): void {
    const { record } = one;
    running.delete(record);
    one.callOff();
    one.transfer?.cancel();
    record.reason = reason;
    if (status === 'completed' && record.dest !== null) {
      deps.ledger.release(record.uuid, record.source);
      placeOn(record.server, record.dest);
    } else returnToSource(deps, record);
    record.server.taskState = null;
    record.server.updatedAt = clock.now();
    setStatus(deps, record, status);
    one.finishAction(status === 'error' ? (reason ?? 'unknown') : undefined);
  }
  /** Destination of a migration, claimed. Throws NoValidHostError or SimulatedApiError. */
  function schedule(record: MigrationRecord, requested: SimulatedHost | null): SimulatedHost {
    const { server, source } = record;
    requireGuest(server);
    if (!isUp(source)) {
      throw new SimulatedApiError(400, `Compute service of ${source.name} is unavailable at this time.`);
    }
    const failure = deps.faults.failureAt('schedule', server, source, requested);
    if (failure !== null) throw new SimulatedApiError(400, failure);
    const dest = selectHost({ server, flavor: server.flavor, requested, way: 'live' }, deps);
    claimDestination(deps, record, dest);
    return dest;
  }
  function prepare(one: Running, dest: SimulatedHost): void {
    setStatus(deps, one.record, 'queued');
    one.callOff = timeline.after(0.2, () => {
      setStatus(deps, one.record, 'preparing');
      one.callOff = timeline.after(options.prepareSeconds ?? 2, () => copy(one, dest));
    });
  }
  function copy(one: Running, dest: SimulatedHost): void {
    const { record } = one;
    const { server, source } = record;
    const second = deps.simulatedClock.seconds();
    const failure = deps.faults.failureAt('running', server, source, dest);
    if (failure !== null || !isUp(dest)) {
      settle(one, 'error', failure ?? `host ${dest.name} is down`);
      return;
    }
    const memoryMib = serverRamMb(server, second, deps.seed);
    const diskMib = diskToCopyMib(deps.state, server);
    record.memory = { totalMib: memoryMib, processedMib: 0, remainingMib: memoryMib };
    record.disk = { totalMib: diskMib, processedMib: 0, remainingMib: diskMib };
    setStatus(deps, record, 'running');
    const model = createLiveCopy({
      memoryMib,
      diskMib,
      dirtyMibPerSecond: dirtyRateOf(serverCpuPercent(server, second, deps.seed), server.flavor.vcpus),
      maxDowntimeSeconds: options.maxDowntimeSeconds ?? 0.5,
    });
    one.callOff = () => undefined;
    one.transfer = deps.transfers.begin(source, dest, model, () => finish(one));
  }
  function finish(one: Running): void {
    refresh(one.record);
    one.transfer = null;
    setStatus(deps, one.record, 'post-migrating');
    one.callOff = timeline.after(options.finishSeconds ?? 1, () => settle(one, 'completed', null));
  }
  function refresh(record: MigrationRecord): void {
    const model = running.get(record)?.transfer?.copy;
    if (model === undefined) return;
    record.disk.remainingMib = model.diskLeftMib;
    record.disk.processedMib = record.disk.totalMib - model.diskLeftMib;
    record.memory.remainingMib = model.memoryLeftMib;
    record.memory.processedMib = Math.max(0, model.processedMib - record.disk.processedMib);
  }

  return {
    start(server, requested, caller, wait) {
      requireState(server, 'os-migrateLive', moveRules.live.vmStates);
      const record = openRecord(deps, server, 'live-migration', server.flavor, caller);
      const finishAction = recordAction(clock, server, 'live-migration', caller);
      server.taskState = 'migrating';
      server.updatedAt = clock.now();
      const one: Running = { record, finishAction, transfer: null, callOff: () => undefined };
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

/** Nova's conductor checks the power state, not the vm_state. */
function requireGuest({ uuid, vmState, powerState }: SimulatedServer): void {
  if (moveRefusal('live', { vmState, powerState, taskState: null }) === null) return;
  const state = `power_state ${powerState}`;
  throw new SimulatedApiError(
    400,
    `Instance ${uuid} in ${state}. Cannot live migrate while the instance is in this state.`,
  );
}
