import type { StoragePool, Volume, VolumePort, VolumeType } from '#libs/openstack';
import { OpenStackError } from '#libs/openstack';
import type { FakeCaller } from './fake-caller.ts';

/** A volume of a fake cloud. A test may change it at any time. */
export type FakeVolume = Volume & {
  /** The next migration or change of type fails. */
  fails: boolean;
};

/** The storage of a fake cloud. */
export interface FakeStorage {
  volumes: Map<string, FakeVolume>;
  pools: StoragePool[];
  types: VolumeType[];
}

/** Fills in the defaults: 10 GiB, available, without type, in the pool `a@lvm#one`. */
export function fakeVolume(volume: Partial<FakeVolume> & { uuid: string }): FakeVolume {
  return {
    name: volume.uuid,
    sizeGb: 10,
    status: 'available',
    volumeType: null,
    host: 'a@lvm#one',
    attachments: [],
    multiattach: false,
    bootable: false,
    migrationStatus: null,
    nameId: null,
    fails: false,
    ...volume,
  };
}

/** A pool of 1000 GiB. */
export function fakePool(name: string, capabilities: Record<string, string> = {}): StoragePool {
  const backend = name.split('@')[1]?.split('#')[0] ?? '';
  return {
    name,
    totalCapacityGb: 1000,
    freeCapacityGb: 1000,
    provisionedCapacityGb: 0,
    allocatedCapacityGb: 0,
    volumeBackendName: backend,
    capabilities: { volume_backend_name: backend, ...capabilities },
  };
}

interface Work {
  left: number;
  formerStatus: string;
  finish(): void;
}

/** Cinder of a fake cloud: a change takes `reads` reads of the volume. Its shadow then lasts for as many listings. */
export function createFakeStorage(storage: FakeStorage, caller: FakeCaller, reads: number): VolumePort {
  const { volumes, pools, types } = storage;
  const working = new Map<FakeVolume, Work>();
  let changes = 0;
  const shadows = new Map<string, number>();

  function read(volume: FakeVolume): Volume {
    const work = working.get(volume);
    if (work) {
      work.left -= 1;
      if (work.left <= 0) {
        working.delete(volume);
        volume.status = work.formerStatus;
        work.finish();
      }
    }
    return { ...volume };
  }
  function begin(uuid: string, status: string | null, finish: (volume: FakeVolume) => void): FakeVolume {
    const volume = volumes.get(uuid);
    if (!volume) throw refusal(404, `Volume ${uuid} could not be found.`);
    if (working.has(volume)) throw refusal(400, 'Invalid volume: Volume must not be migrating.');
    working.set(volume, { left: reads, formerStatus: volume.status, finish: () => finish(volume) });
    if (status !== null) volume.status = status;
    return volume;
  }
  function endMigration(volume: FakeVolume, pool: string): void {
    changes += 1;
    volume.updatedAt = `2026-01-01T00:00:00.${String(changes).padStart(6, '0')}`;
    volume.migrationStatus = volume.fails ? 'error' : 'success';
    if (volume.fails) return;
    const uuid = `shadow-${volume.uuid}`;
    volumes.set(uuid, fakeVolume({ ...volume, uuid, nameId: volume.uuid, status: 'deleting' }));
    shadows.set(uuid, reads);
    volume.host = pool;
  }
  function dropShadows(): void {
    for (const [uuid, left] of shadows) {
      if (left > 0) shadows.set(uuid, left - 1);
      else {
        shadows.delete(uuid);
        volumes.delete(uuid);
      }
    }
  }

  return {
    listVolumes: () =>
      caller.call('listVolumes', '', () => {
        dropShadows();
        return [...volumes.values()].map(read);
      }),
    getVolume: (uuid) =>
      caller.call('getVolume', uuid, () => {
        const volume = volumes.get(uuid);
        return volume ? read(volume) : null;
      }),
    getVolumeByName: (name) =>
      caller.call('getVolumeByName', name, () => {
        const volume = [...volumes.values()].find((one) => one.name === name);
        return volume ? read(volume) : null;
      }),
    listSnapshots: () => caller.call('listSnapshots', '', () => []),
    listPools: () => caller.call('listPools', '', () => pools),
    listTypes: () => caller.call('listTypes', '', () => types),
    listServices: async () => [],
    migrateVolume: (uuid, pool) =>
      caller.mutate('migrateVolume', uuid, pool, () => {
        if (volumes.get(uuid)?.host === pool) {
          throw refusal(400, 'Invalid volume: destination host must be different than the current one.');
        }
        const attached = (volumes.get(uuid)?.attachments.length ?? 0) > 0;
        begin(uuid, attached ? null : 'maintenance', (volume) => endMigration(volume, pool)).migrationStatus =
          'migrating';
      }),
    retypeVolume: (uuid, typeName) =>
      caller.mutate('retypeVolume', uuid, typeName, () => {
        begin(uuid, 'retyping', (volume) => {
          if (!volume.fails) volume.volumeType = typeName;
        });
      }),
  };
}

function refusal(status: number, detail: string): OpenStackError {
  return new OpenStackError('block-storage', 'POST /volumes/action', status, detail);
}
