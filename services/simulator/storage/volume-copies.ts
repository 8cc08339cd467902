import type { Clock, IdSource } from '#libs/domain';
import type { CloudState, SimulatedPool, SimulatedVolume, SimulatedVolumeType } from '../cloud/entities.ts';
import type { Timeline } from '../timeline.ts';

export interface VolumeOperationsOptions {
  /** Copy rate in MiB/s. Default 400. */
  copyMibPerSecond?: number;
  /** Simulated seconds: until work starts, to change over, until the shadow is deleted. Defaults 1, 2, 10. */
  startSeconds?: number;
  changeOverSeconds?: number;
  shadowSeconds?: number;
}

export interface VolumeCopyDeps {
  state: CloudState;
  clock: Clock;
  timeline: Timeline;
  newUuid: IdSource;
  faults: {
    volumeFailure(volume: SimulatedVolume, pools: string[]): string | null;
    isVolumeStalled(volume: SimulatedVolume, pools: string[]): boolean;
  };
}

/** Interval in simulated seconds at which a stalled copy is checked. */
const stallCheckSeconds = 5;

/** Copies of volumes as in Cinder: a shadow volume on the destination, which is swapped at the end. */
export interface VolumeCopies {
  /** Changes a volume immediately. */
  update(volume: SimulatedVolume, changes: Partial<SimulatedVolume>): void;
  poolNamed(name: string): SimulatedPool | undefined;
  /** Copies the volume to the pool. Calls `end` immediately when the copy is impossible. */
  copy(
    volume: SimulatedVolume,
    type: SimulatedVolumeType | undefined,
    pool: SimulatedPool | undefined,
    end: (moved: boolean) => void,
  ): void;
}

/** Starts no copy yet. */
export function createVolumeCopies(deps: VolumeCopyDeps, options: VolumeOperationsOptions): VolumeCopies {
  const { state, timeline } = deps;

  function update(volume: SimulatedVolume, changes: Partial<SimulatedVolume>): void {
    Object.assign(volume, changes, { updatedAt: deps.clock.now() });
  }
  function poolNamed(name: string): SimulatedPool | undefined {
    return state.pools.find((pool) => pool.name === name);
  }
  /** Why Cinder's scheduler or Nova refuses the copy. Null when it is possible. */
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

  return { update, poolNamed, copy };
}

/** A simulated pool uses only the backend name of the extra specs. */
export function fits(type: SimulatedVolumeType | undefined, pool: SimulatedPool): boolean {
  const wanted = type?.extraSpecs.volume_backend_name;
  return wanted === undefined || wanted === pool.backendName;
}
