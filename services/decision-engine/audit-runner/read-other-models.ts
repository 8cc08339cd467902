import {
  applyBaremetalScope,
  applyStorageScope,
  type BaremetalScopeReport,
  type BaremetalSnapshot,
  type StorageScopeReport,
  type StorageSnapshot,
} from '#libs/cluster-model';
import type { AuditScope } from '#libs/domain';
import type { ModelName } from '#libs/plugin-kit';
import { ServiceMissingError } from '../collectors/errors.ts';
import { freshSince, type ModelAge } from '../model/fresh-enough.ts';
import type { Picture } from '../model/model-keeper.ts';
import type { OtherModels } from '../model/other-models.ts';
import { AuditRefusedError } from './errors.ts';
import { lateNotes, type PoolAge, reportedSince } from './pool-reports.ts';

/** The storage and bare metal models of a strategy, with notes. */
export interface ReadModels {
  storage?: StorageSnapshot;
  baremetal?: BaremetalSnapshot;
  complete: boolean;
  notes: string[];
}

/** Models that an audit requests. */
export interface ModelRequest {
  strategy: { name: string; needsCompleteModel: boolean };
  models: readonly ModelName[];
  scope: AuditScope;
  age: ModelAge;
  /** Required age of pool sizes. Default: any age. */
  pools?: PoolAge;
}

/**
 * Reads block storage and bare metal for a strategy that requests them, within the scope of the audit.
 * @throws AuditRefusedError when the cloud has no such service or, for strategies that need all of it, a part could not
 * be read. Errors of the collectors.
 */
export async function readOtherModels(request: ModelRequest, keepers: OtherModels | undefined): Promise<ReadModels> {
  const { strategy, models, scope, age } = request;

  async function read<Snapshot extends Picture>(name: 'storage' | 'baremetal', fresh?: () => Promise<Snapshot>) {
    if (!models.includes(name)) return undefined;
    if (!fresh)
      throw new AuditRefusedError(`strategy ${strategy.name} needs the ${name} model, which is not kept here`);
    const snapshot = await fresh().catch((error: unknown) => {
      if (!(error instanceof ServiceMissingError)) throw error;
      throw new AuditRefusedError(`strategy ${strategy.name} needs the ${name} model, and ${error.message}`);
    });
    if (!snapshot.complete && strategy.needsCompleteModel)
      throw new AuditRefusedError(
        `strategy ${strategy.name} needs a complete ${name} model, and parts of it could not be read: ${snapshot.gaps.slice(0, 3).join('; ')}`,
      );
    return snapshot;
  }

  const [storage, baremetal] = await Promise.all([
    read('storage', keepers && (() => reportedSince(keepers.storage, age, request.pools))),
    read('baremetal', keepers && (() => freshSince(keepers.baremetal, age))),
  ]);
  const scoped = storage && applyStorageScope(storage, scope);
  const machines = baremetal && applyBaremetalScope(baremetal, scope);
  return {
    storage: scoped?.snapshot,
    baremetal: machines?.snapshot,
    complete: (storage?.complete ?? true) && (baremetal?.complete ?? true),
    notes: [
      ...(storage?.gaps ?? []),
      ...(storage ? lateNotes(storage, age, request.pools) : []),
      ...(baremetal?.gaps ?? []),
      ...(scoped ? scopeNotes(scoped.report) : []),
      ...(machines ? machineNotes(machines.report) : []),
    ],
  };
}

function scopeNotes({ poolsRemoved, volumesRemoved, unknown }: StorageScopeReport): string[] {
  const notes = unknown.map((name) => `the scope names ${name}, which the cloud does not have`);
  if (poolsRemoved + volumesRemoved > 0)
    notes.unshift(`the scope leaves out ${poolsRemoved} storage pools and ${volumesRemoved} volumes`);
  return notes;
}

function machineNotes({ nodesRemoved, unknown }: BaremetalScopeReport): string[] {
  const notes = unknown.map((name) => `the scope names ${name}, which the cloud does not have`);
  if (nodesRemoved > 0) notes.unshift(`the scope leaves out ${nodesRemoved} bare metal nodes`);
  return notes;
}
