import type { Clock, IdSource } from '#libs/domain';
import type { CloudState, SimulatedPool, SimulatedVolume, SimulatedVolumeType } from '../cloud/entities.ts';
import { SimulatedApiError } from '../errors.ts';
import type { Timeline } from '../timeline.ts';

export interface VolumeOperations {
  /** Moves the volume to a pool, `locked` against its users. Throws SimulatedApiError when that cannot start. */
  migrate(volume: SimulatedVolume, poolName: string, locked: boolean): void;
  /** Changes the type. Where the pool does not fit it, `on-demand` moves the volume and `never` fails. */
  retype(volume: SimulatedVolume, typeName: string, policy: 'on-demand' | 'never'): void;
}

export interface VolumeOperationsOptions {
  /** MiB/s of a copy. Default 400. */
  copyMibPerSecond?: number;
  /** Simulated seconds: until work starts, to change over, until the shadow is deleted. Defaults 1, 2, 10. */
  startSeconds?: number;
  changeOverSeconds?: number;
  shadowSeconds?: number;
}

/** Interval in simulated seconds at which a stalled copy checks whether it may continue. */
const stallCheckSeconds = 5;

const retypeRefusal =
  'Invalid volume: Retype needs volume to be in available or in-use state, not be part of an active migration or a consistency group, ' +
  'requested type has to be different that the one from the volume, and for in-use volumes front-end qos specs cannot change.';

/** Volume migration and change of type as Cinder shows them, with `migration_status` and the shadow volume. */
export function createVolumeOperations(
  deps: {
    state: CloudState;
    clock: Clock;
    timeline: Timeline;
    newUuid: IdSource;
    faults: {
      volumeFailure(volume: SimulatedVolume, pools: string[]): string | null;
      isVolumeStalled(volume: SimulatedVolume, pools: string[]): boolean;
    };
  },
  options: VolumeOperationsOptions = {},
): VolumeOperations {
  const { state, timeline } = deps;

  function update(volume: SimulatedVolume, changes: Partial<SimulatedVolume>): void {
    Object.assign(volume, changes, { updatedAt: deps.clock.now() });
  }
  function poolNamed(name: string): SimulatedPool | undefined {
    return state.pools.find((pool) => pool.name === name);
  }
  function isIdle(volume: SimulatedVolume): boolean {
    return volume.busy === null && [null, 'success', 'error'].includes(volume.migrationStatus);
  }
  /** Cinder's scheduler: the pool itself, or the roomiest of a backend that is named without one. */
  function destination(volume: SimulatedVolume, host: string): SimulatedPool | undefined {
    if (host.includes('#')) return poolNamed(host);
    const ofBackend = state.pools.filter((pool) => backendOf(pool.name) === host);
    return roomiest(ofBackend, typeOf(volume), volume);
  }
  function typeOf(volume: SimulatedVolume): SimulatedVolumeType | undefined {
    return state.volumeTypes.find((type) => type.name === volume.type);
  }
  /** Why the copy cannot be made, as Cinder's scheduler and Nova would see it. Null when it can. */
  function obstacle(
    volume: SimulatedVolume,
    type: SimulatedVolumeType | undefined,
    pool: SimulatedPool,
  ): string | null {
    const status = volume.attachedTo?.vmState ?? 'active';
    if (!['active', 'paused'].includes(status)) return `the server of the volume is ${status}`;
    if (volume.encrypted && volume.attachedTo !== null) return 'Nova swaps no encrypted volume';
    if (!fits(type, pool)) return `pool ${pool.name} does not fit the volume's type`;
    if (pool.freeGb < volume.sizeGb) return `pool ${pool.name} has no room`;
    return deps.faults.volumeFailure(volume, [volume.pool, pool.name]);
  }
  function copy(
    volume: SimulatedVolume,
    type: SimulatedVolumeType | undefined,
    pool: SimulatedPool | undefined,
    end: (moved: boolean) => void,
  ): void {
    if (pool === undefined || obstacle(volume, type, pool) !== null) {
      update(volume, { migrationStatus: 'error' });
      end(false);
      return;
    }
    const uuid = deps.newUuid();
    const shadow: SimulatedVolume = { ...volume, uuid, pool: pool.name, attachedTo: null, busy: null };
    shadow.migrationStatus = `target:${volume.uuid}`;
    state.volumes.set(uuid, shadow);
    pool.freeGb -= volume.sizeGb;
    update(volume, { migrationStatus: 'migrating' });
    const pools = [volume.pool, pool.name];
    const arrive = () => {
      if (deps.faults.isVolumeStalled(volume, pools)) {
        timeline.after(stallCheckSeconds, arrive);
        return;
      }
      update(volume, { migrationStatus: 'completing' });
      timeline.after(options.changeOverSeconds ?? 2, () => {
        changeOver(volume, shadow);
        end(true);
      });
    };
    timeline.after((volume.sizeGb * 1024) / (options.copyMibPerSecond ?? 400), arrive);
  }
  /** Swaps volume and shadow, and deletes the remainder on the source. */
  function changeOver(volume: SimulatedVolume, shadow: SimulatedVolume): void {
    const source = volume.pool;
    update(volume, { pool: shadow.pool, migrationStatus: 'success' });
    update(shadow, { pool: source, busy: 'deleting', migrationStatus: 'deleting', nameId: volume.uuid });
    timeline.after(options.shadowSeconds ?? 10, () => {
      state.volumes.delete(shadow.uuid);
      const pool = poolNamed(source);
      if (pool === undefined) return;
      pool.freeGb += shadow.sizeGb;
      pool.allocationDriftGb = (pool.allocationDriftGb ?? 0) + shadow.sizeGb;
    });
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

/** Of the extra specs only the backend's name means something to a simulated pool. */
function fits(type: SimulatedVolumeType | undefined, pool: SimulatedPool): boolean {
  const wanted = type?.extraSpecs.volume_backend_name;
  return wanted === undefined || wanted === pool.backendName;
}
