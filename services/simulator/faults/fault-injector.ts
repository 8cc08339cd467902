import type { RandomSource } from '#libs/domain';
import type { SimulatedHost, SimulatedNode, SimulatedVolume } from '../cloud/entities.ts';
import type { MigrationFaults } from '../migration/migration-support.ts';
import type { ActiveFault, FaultDefinition, RequestMatch } from './fault.ts';

/** A request to which faults may apply. */
export interface FaultTarget {
  service: string;
  method: string;
  /** Path with query. */
  path: string;
}

type RequestFault = Extract<FaultDefinition, { match?: RequestMatch }>;

/** Active faults. The random source is seeded, so a run can be repeated. */
export interface FaultInjector extends MigrationFaults {
  add(definition: FaultDefinition): ActiveFault;
  /** Returns the removed faults. Without an id, all. */
  remove(id?: number): ActiveFault[];
  list(): ActiveFault[];
  /** Faults for this request, in the order of their creation. Each counts as used. */
  meet(target: FaultTarget): RequestFault[];
  /** Whether Nova cannot read the database of the host's cell. */
  isHidden(host: SimulatedHost): boolean;
  isStalled(source: SimulatedHost, dest: SimulatedHost): boolean;
  /** Reason why this operation on a volume fails, or null. A reason counts as one use. */
  volumeFailure(volume: SimulatedVolume, pools: string[]): string | null;
  isVolumeStalled(volume: SimulatedVolume, pools: string[]): boolean;
  /** Reason why this change of power fails, or null. A reason counts as one use. */
  powerFailure(node: SimulatedNode): string | null;
  /** Uuids of volumes and nodes with an injected failure. Migrations have it in their records. */
  failed(): string[];
  isActive(id: number): boolean;
  /** Called for every fault that is added, removed or used up. */
  onChange(listener: (fault: ActiveFault, change: 'added' | 'removed') => void): void;
}

function matches(match: RequestMatch | undefined, target: FaultTarget): boolean {
  if (match?.service !== undefined && match.service !== target.service) return false;
  if (match?.method !== undefined && match.method.toUpperCase() !== target.method) return false;
  return match?.path === undefined || new RegExp(match.path).test(target.path);
}

/** Message of a migration fault for this migration at this stage, or null. */
function migrationErrorOf(
  definition: FaultDefinition,
  stage: 'schedule' | 'running',
  migration: { server: string; hosts: string[] },
): string | null {
  if (definition.kind !== 'migration-error' || (definition.stage ?? 'running') !== stage) return null;
  if (definition.server !== undefined && definition.server !== migration.server) return null;
  if (definition.host !== undefined && !migration.hosts.includes(definition.host)) return null;
  return definition.message ?? 'the migration failed on request';
}

const requestKinds = new Set<string>(['latency', 'error', 'drop', 'late', 'reset', 'hang']);

/** Whether a storage fault applies to this volume, or to a pool of the operation. */
function meetsVolume(fault: { volume?: string; pool?: string }, volume: SimulatedVolume, pools: string[]): boolean {
  const isVolume = fault.volume === undefined || fault.volume === volume.uuid || fault.volume === volume.name;
  return isVolume && (fault.pool === undefined || pools.includes(fault.pool));
}

/** Starts without faults. `random` decides on faults with a probability. */
export function createFaultInjector(random: RandomSource): FaultInjector {
  const faults = new Map<number, ActiveFault>();
  const listeners: ((fault: ActiveFault, change: 'added' | 'removed') => void)[] = [];
  const failed: string[] = [];
  let lastId = 0;

  function drop(fault: ActiveFault): void {
    faults.delete(fault.id);
    for (const listener of listeners) listener(fault, 'removed');
  }
  /** Decides whether the fault applies, and counts it. */
  function strikes(fault: ActiveFault): boolean {
    const { probability, count } = fault.definition as { probability?: number; count?: number };
    if (probability !== undefined && random() >= probability) return false;
    fault.hits++;
    if (count !== undefined && fault.hits >= count) drop(fault);
    return true;
  }
  return {
    add(definition) {
      const fault = { id: ++lastId, definition, hits: 0 };
      faults.set(fault.id, fault);
      for (const listener of listeners) listener(fault, 'added');
      return fault;
    },
    remove(id) {
      const gone = [...faults.values()].filter((fault) => id === undefined || fault.id === id);
      for (const fault of gone) drop(fault);
      return gone;
    },
    list: () => [...faults.values()],
    meet(target) {
      const met: RequestFault[] = [];
      for (const fault of [...faults.values()]) {
        const { definition } = fault;
        if (!requestKinds.has(definition.kind)) continue;
        const requestFault = definition as RequestFault;
        if (matches(requestFault.match, target) && strikes(fault)) met.push(requestFault);
      }
      return met;
    },
    failureAt(stage, server, source, dest) {
      const migration = { server: server.uuid, hosts: [source.name, dest?.name ?? ''] };
      for (const fault of [...faults.values()]) {
        const message = migrationErrorOf(fault.definition, stage, migration);
        if (message !== null && strikes(fault)) return message;
      }
      return null;
    },
    isHidden: ({ cell }) =>
      [...faults.values()].some(({ definition }) => definition.kind === 'cell-down' && definition.cell === cell),
    isStalled: (source, dest) =>
      [...faults.values()].some(
        ({ definition }) =>
          definition.kind === 'migration-stall' &&
          (definition.host === undefined || definition.host === source.name || definition.host === dest.name),
      ),
    volumeFailure(volume, pools) {
      for (const fault of [...faults.values()]) {
        const { definition } = fault;
        if (definition.kind !== 'volume-error' || !meetsVolume(definition, volume, pools)) continue;
        if (!strikes(fault)) continue;
        failed.push(volume.uuid);
        return definition.message ?? 'the operation failed on request';
      }
      return null;
    },
    isVolumeStalled: (volume, pools) =>
      [...faults.values()].some(
        ({ definition }) => definition.kind === 'volume-stall' && meetsVolume(definition, volume, pools),
      ),
    powerFailure(node) {
      for (const fault of [...faults.values()]) {
        const { definition } = fault;
        if (definition.kind !== 'power-error') continue;
        if (definition.node !== undefined && ![node.uuid, node.name].includes(definition.node)) continue;
        if (!strikes(fault)) continue;
        failed.push(node.uuid);
        return definition.message ?? 'the power could not be changed';
      }
      return null;
    },
    failed: () => failed,
    isActive: (id) => faults.has(id),
    onChange: (listener) => void listeners.push(listener),
  };
}
