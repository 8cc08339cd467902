import { messageOf, moveRules } from '#libs/domain';
import {
  isUp,
  type MigrationRecord,
  resourcesOf,
  type SimulatedHost,
  type SimulatedServer,
} from '../cloud/entities.ts';
import { type Caller, recordAction } from '../compute/server-operations.ts';
import { requireState } from '../compute/server-status.ts';
import { SimulatedApiError } from '../errors.ts';
import { selectHost } from '../scheduler/select-host.ts';
import { type MigrationDeps, openRecord, placeOn, setStatus } from './migration-support.ts';

export interface EvacuationOptions {
  /** Simulated seconds: to schedule, to rebuild the guest. Defaults 0.5, 10. */
  scheduleSeconds?: number;
  rebuildSeconds?: number;
}

export interface Evacuations {
  /**
   * Rebuilds a server elsewhere while the compute service of its host is down. A refusal of the scheduler is visible in
   * the migration record and leaves the server in ERROR. `staysOff`: the server is stopped after its arrival (2.95).
   * @throws SimulatedApiError
   */
  start(
    server: SimulatedServer,
    wanted: { host: SimulatedHost | null; staysOff: boolean },
    caller: Caller,
  ): MigrationRecord;
  /**
   * Called when the compute service of a host has restarted: removes evacuated instances, and their allocations in
   * Placement.
   */
  cleanUp(host: SimulatedHost): void;
  /**
   * Whether the compute service has not yet cleaned up after evacuations from the host. Then it cannot be forced up.
   */
  awaitsCleanUp(host: SimulatedHost): boolean;
}

const open = new Set(['accepted', 'pre-migrating', 'done']);

/**
 * Evacuation with Nova's states: accepted, pre-migrating, done, and completed once the source has restarted. Until then
 * the server has allocations on both hosts, under its uuid.
 */
export function createEvacuations(deps: MigrationDeps, options: EvacuationOptions = {}): Evacuations {
  const { clock, timeline, state, ledger } = deps;

  function task(server: SimulatedServer, taskState: string | null): void {
    server.taskState = taskState;
    server.updatedAt = clock.now();
  }

  function place(record: MigrationRecord, requested: SimulatedHost | null): void {
    const { server, source } = record;
    const failure = deps.faults.failureAt('schedule', server, source, requested);
    if (failure !== null) throw new SimulatedApiError(400, failure);
    const dest = selectHost({ server, flavor: server.flavor, requested, way: 'evacuate' }, deps);
    ledger.claim(server.uuid, dest, resourcesOf(server.flavor, server));
    record.dest = dest;
  }

  function arrive(record: MigrationRecord, to: 'active' | 'stopped'): void {
    const { server } = record;
    server.vmState = to;
    server.powerState = to === 'active' ? 1 : 4;
    placeOn(server, record.dest as SimulatedHost);
    task(server, null);
    setStatus(deps, record, 'done');
  }

  return {
    start(server, { host, staysOff }, caller) {
      requireState(server, 'evacuate', moveRules.evacuate.vmStates);
      if (isUp(server.host)) {
        throw new SimulatedApiError(400, `Compute service of ${server.host.name} is still in use.`);
      }
      const former = server.vmState;
      const record = openRecord(deps, server, 'evacuation', server.flavor, caller);
      const finish = recordAction(clock, server, 'evacuate', caller);
      const fail = (reason: string) => {
        if (record.dest !== null) ledger.release(server.uuid, record.dest);
        record.reason = reason;
        server.vmState = 'error';
        task(server, null);
        setStatus(deps, record, 'error');
        finish(reason);
      };
      task(server, 'rebuilding');
      timeline.after(options.scheduleSeconds ?? 0.5, () => {
        try {
          place(record, host);
        } catch (error) {
          fail(messageOf(error));
          return;
        }
        setStatus(deps, record, 'pre-migrating');
        task(server, 'rebuild_spawning');
        timeline.after(options.rebuildSeconds ?? 10, () => {
          // It may have been deleted since then.
          if (!state.servers.has(server.uuid)) return;
          const dest = record.dest as SimulatedHost;
          const failure = deps.faults.failureAt('running', server, record.source, dest);
          if (failure !== null || !isUp(dest)) {
            fail(failure ?? `host ${dest.name} is down`);
            return;
          }
          arrive(record, former === 'stopped' || staysOff ? 'stopped' : 'active');
          finish();
        });
      });
      return record;
    },
    awaitsCleanUp: (host) =>
      state.migrations.some(
        ({ type, source, status }) => type === 'evacuation' && source === host && status === 'done',
      ),
    cleanUp(host) {
      for (const record of state.migrations) {
        if (record.type !== 'evacuation' || record.source !== host || !open.has(record.status)) continue;
        if (record.server.host === host) continue;
        ledger.release(record.server.uuid, host);
        setStatus(deps, record, 'completed');
      }
    },
  };
}
