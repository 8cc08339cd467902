import type { SimulatedPool, SimulatedVolume, SimulatedVolumeType } from '../cloud/entities.ts';
import { SimulatedApiError } from '../errors.ts';
import { createVolumeCopies, fits, type VolumeCopyDeps, type VolumeOperationsOptions } from './volume-copies.ts';

export interface VolumeOperations {
  /** Moves the volume to a pool, `locked` against its users. @throws SimulatedApiError when that cannot start */
  migrate(volume: SimulatedVolume, poolName: string, locked: boolean): void;
  /** Changes the type. When the pool does not support it, `on-demand` moves the volume and `never` fails. */
  retype(volume: SimulatedVolume, typeName: string, policy: 'on-demand' | 'never'): void;
}

const retypeRefusal =
  'Invalid volume: Retype needs volume to be in available or in-use state, not be part of an active migration or a consistency group, ' +
  'requested type has to be different that the one from the volume, and for in-use volumes front-end qos specs cannot change.';

/** Volume migration and change of type as Cinder shows them, with `migration_status` and the shadow volume. */
export function createVolumeOperations(deps: VolumeCopyDeps, options: VolumeOperationsOptions = {}): VolumeOperations {
  const { state, timeline } = deps;
  const { update, poolNamed, copy } = createVolumeCopies(deps, options);

  function isIdle(volume: SimulatedVolume): boolean {
    return volume.busy === null && [null, 'success', 'error'].includes(volume.migrationStatus);
  }
  /** As Cinder's scheduler: the pool itself, or the pool of the named backend with the most space. */
  function destination(volume: SimulatedVolume, host: string): SimulatedPool | undefined {
    if (host.includes('#')) return poolNamed(host);
    const ofBackend = state.pools.filter((pool) => backendOf(pool.name) === host);
    return roomiest(ofBackend, typeOf(volume), volume);
  }
  function typeOf(volume: SimulatedVolume): SimulatedVolumeType | undefined {
    return state.volumeTypes.find((type) => type.name === volume.type);
  }
  return {
    migrate(volume, poolName, locked) {
      const isServed = state.pools.some(
        ({ name, alive, status }) => backendOf(name) === backendOf(poolName) && alive && status === 'enabled',
      );
      if (!isServed) throw new SimulatedApiError(400, `Invalid host: No available service named '${poolName}'`);
      if (!isIdle(volume) || poolName === volume.pool || volume.groupId !== null || volume.replicated) {
        throw new SimulatedApiError(
          400,
          `Invalid volume: Volume ${volume.uuid} status must be available or in-use, must not be migrating, have snapshots, be replicated, be part of a group and destination host/cluster must be different than the current one`,
        );
      }
      update(volume, {
        migrationStatus: 'starting',
        busy: locked && volume.attachedTo === null ? 'maintenance' : null,
      });
      timeline.after(options.startSeconds ?? 1, () =>
        copy(volume, typeOf(volume), destination(volume, poolName), () => update(volume, { busy: null })),
      );
    },
    retype(volume, typeName, policy) {
      const type = state.volumeTypes.find((one) => one.name === typeName || one.id === typeName);
      if (type === undefined) {
        throw new SimulatedApiError(404, `Volume type with name ${typeName} could not be found.`);
      }
      if (!isIdle(volume) || type.name === volume.type || volume.groupId !== null)
        throw new SimulatedApiError(400, retypeRefusal);
      update(volume, { busy: 'retyping' });
      const end = (moved: boolean) => update(volume, moved ? { busy: null, type: type.name } : { busy: null });
      timeline.after(options.startSeconds ?? 1, () => {
        const current = poolNamed(volume.pool);
        if (current !== undefined && fits(type, current)) {
          end(deps.faults.volumeFailure(volume, [volume.pool]) === null);
          return;
        }
        const pool = policy === 'never' ? undefined : roomiest(state.pools, type, volume);
        if (pool === undefined) end(false);
        else copy(volume, type, pool, end);
      });
    },
  };
}

function roomiest(
  pools: SimulatedPool[],
  type: SimulatedVolumeType | undefined,
  volume: SimulatedVolume,
): SimulatedPool | undefined {
  return pools
    .filter((pool) => pool.alive && pool.status === 'enabled' && fits(type, pool) && pool.freeGb >= volume.sizeGb)
    .sort((a, b) => b.freeGb - a.freeGb)[0];
}

/** `host@backend` of `host@backend#pool`. */
function backendOf(pool: string): string {
  return pool.split('#', 1)[0] as string;
}
