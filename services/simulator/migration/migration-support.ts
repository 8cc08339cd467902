import type { Clock, IdSource } from '#libs/domain';
import type { AllocationLedger } from '../cloud/allocation-ledger.ts';
import {
  type CloudState,
  type CopyProgress,
  type MigrationRecord,
  type MigrationStatus,
  resourcesOf,
  type SimulatedFlavor,
  type SimulatedHost,
  type SimulatedServer,
} from '../cloud/entities.ts';
import type { Caller } from '../compute/server-operations.ts';
import type { SimulatedClock } from '../simulated-clock.ts';
import type { Timeline } from '../timeline.ts';
import type { TransferEngine } from './transfer-engine.ts';

/** Faults of the injector that affect migrations. */
export interface MigrationFaults {
  /** Reason why this migration fails at the stage, or null. A reason counts as one use. */
  failureAt(
    stage: 'schedule' | 'running',
    server: SimulatedServer,
    source: SimulatedHost,
    dest: SimulatedHost | null,
  ): string | null;
}

/** Dependencies of live and cold migrations. */
export interface MigrationDeps {
  state: CloudState;
  ledger: AllocationLedger;
  clock: Clock;
  simulatedClock: SimulatedClock;
  timeline: Timeline;
  transfers: TransferEngine;
  faults: MigrationFaults;
  newUuid: IdSource;
  /** Seed of the load model: a busy guest takes longer. */
  seed: number;
}

const noProgress = (): CopyProgress => ({ totalMib: 0, processedMib: 0, remainingMib: 0 });

/** Part of a local disk that has data and must be copied. */
export const usedDiskPart = 0.3;

/** MiB of disk that a migration copies. */
export function diskToCopyMib(state: CloudState, server: SimulatedServer): number {
  if (state.storage === 'shared' || server.bootFromVolume) return 0;
  return server.flavor.diskGb * 1024 * usedDiskPart;
}

/** Adds a row to Nova's migrations. */
export function openRecord(
  deps: MigrationDeps,
  server: SimulatedServer,
  type: MigrationRecord['type'],
  newFlavor: SimulatedFlavor,
  caller: Caller,
): MigrationRecord {
  const record: MigrationRecord = {
    id: deps.state.migrations.length + 1,
    uuid: deps.newUuid(),
    server,
    type,
    status: type === 'live-migration' || type === 'evacuation' ? 'accepted' : 'pre-migrating',
    source: server.host,
    dest: null,
    oldFlavor: server.flavor,
    newFlavor,
    createdAt: deps.clock.now(),
    updatedAt: null,
    projectId: caller.projectId,
    userId: caller.userId,
    requestId: caller.requestId,
    memory: noProgress(),
    disk: noProgress(),
    reason: null,
  };
  deps.state.migrations.push(record);
  return record;
}

/** Changes the status of a record. */
export function setStatus(deps: MigrationDeps, record: MigrationRecord, status: MigrationStatus): void {
  record.status = status;
  record.updatedAt = deps.clock.now();
}

/** Moves the server's allocation on the source to the migration, and allocates for the server on the destination. */
export function claimDestination(deps: MigrationDeps, record: MigrationRecord, dest: SimulatedHost): void {
  const { server } = record;
  deps.ledger.handOver(server.uuid, record.uuid, record.source);
  deps.ledger.claim(server.uuid, dest, resourcesOf(record.newFlavor, server));
  record.dest = dest;
}

/** Undoes `claimDestination`. */
export function returnToSource(deps: MigrationDeps, record: MigrationRecord): void {
  if (record.dest === null) return;
  deps.ledger.release(record.server.uuid, record.dest);
  deps.ledger.handOver(record.uuid, record.server.uuid, record.source);
}

/** Moves the server in the index of hosts. */
export function placeOn(server: SimulatedServer, host: SimulatedHost): void {
  server.host.servers.delete(server);
  server.host = host;
  host.servers.add(server);
}
