import { moveRefusal } from '#libs/domain';
import { isUp, type MigrationRecord, type SimulatedHost, type SimulatedServer } from '../cloud/entities.ts';
import { SimulatedApiError } from '../errors.ts';
import { serverCpuPercent, serverRamMb } from '../load/host-load.ts';
import { selectHost } from '../scheduler/select-host.ts';
import { createLiveCopy, dirtyRateOf } from './copy-model.ts';
import {
  claimDestination,
  diskToCopyMib,
  type MigrationDeps,
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

/** A live migration before its end. */
export interface RunningMigration {
  record: MigrationRecord;
  finishAction: (fault?: string) => void;
  transfer: Transfer | null;
  callOff: () => void;
}

/** The steps of a live migration, from one status to the next. */
export interface LiveSteps {
  /** Claims and returns the destination of a migration. @throws NoValidHostError or SimulatedApiError */
  schedule(record: MigrationRecord, requested: SimulatedHost | null): SimulatedHost;
  /** Queues and prepares it, and then copies the guest. */
  prepare(one: RunningMigration, dest: SimulatedHost): void;
  /** Switches to the destination after the copy. */
  finish(one: RunningMigration): void;
  settle(one: RunningMigration, status: 'completed' | 'error' | 'cancelled', reason: string | null): void;
  /** Copies the progress into the record. */
  refresh(record: MigrationRecord): void;
}

/** @param running migrations before their end. Settled ones are removed. */
export function createLiveSteps(
  deps: MigrationDeps,
  options: LiveMigrationOptions,
  running: Map<MigrationRecord, RunningMigration>,
): LiveSteps {
  const { clock, timeline } = deps;

  function settle(one: RunningMigration, status: 'completed' | 'error' | 'cancelled', reason: string | null): void {
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
  function prepare(one: RunningMigration, dest: SimulatedHost): void {
    setStatus(deps, one.record, 'queued');
    one.callOff = timeline.after(0.2, () => {
      setStatus(deps, one.record, 'preparing');
      one.callOff = timeline.after(options.prepareSeconds ?? 2, () => copy(one, dest));
    });
  }
  function copy(one: RunningMigration, dest: SimulatedHost): void {
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
    one.transfer = deps.transfers.start(source, dest, model, () => finish(one));
  }
  function finish(one: RunningMigration): void {
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

  return { schedule, prepare, finish, settle, refresh };
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
