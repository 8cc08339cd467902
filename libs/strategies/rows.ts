import type {
  ComputeSnapshot,
  HostInfo,
  InstanceInfo,
  StoragePoolInfo,
  StorageSnapshot,
  StorageVolumeInfo,
} from '#libs/cluster-model';

/** The description of a host row; throws RangeError when there is no such row. */
export function hostAt(snapshot: ComputeSnapshot, row: number): HostInfo {
  const host = snapshot.hostInfo[row];
  if (host === undefined) throw new RangeError(`no host row ${row}`);
  return host;
}

/** The description of an instance row; throws RangeError when there is no such row. */
export function instanceAt(snapshot: ComputeSnapshot, row: number): InstanceInfo {
  const instance = snapshot.instanceInfo[row];
  if (instance === undefined) throw new RangeError(`no instance row ${row}`);
  return instance;
}

/** Name for people: the server's name, or its uuid when it has none. */
export function instanceLabel(instance: InstanceInfo): string {
  return instance.name === '' ? instance.uuid : instance.name;
}

/** Rounds for sentences: at most `digits` decimals, without trailing zeros. */
export function shortNumber(value: number, digits = 1): string {
  return String(Number(value.toFixed(digits)));
}

/** The description of a volume row; throws RangeError when there is no such row. */
export function volumeAt(snapshot: StorageSnapshot, row: number): StorageVolumeInfo {
  const volume = snapshot.volumes[row];
  if (volume === undefined) throw new RangeError(`no volume row ${row}`);
  return volume;
}

/** The description of a pool row; throws RangeError when there is no such row. */
export function poolAt(snapshot: StorageSnapshot, row: number): StoragePoolInfo {
  const pool = snapshot.pools[row];
  if (pool === undefined) throw new RangeError(`no pool row ${row}`);
  return pool;
}

/** Name for people: the volume's name, or its uuid when it has none. */
export function volumeLabel(volume: StorageVolumeInfo): string {
  return volume.name === '' ? volume.uuid : volume.name;
}
