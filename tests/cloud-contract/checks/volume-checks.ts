import assert from 'node:assert/strict';
import type { StoragePool, Volume } from '#libs/openstack';
import type { CloudCheck } from '../cloud-check.ts';
import type { ContractTarget } from '../contract-target.ts';
import { refusalOf } from '../refusal-of.ts';

/**
 * Migration and retype of volumes from the request to the end, and Cinder's refusals. Skipped without block storage.
 */
export const volumeChecks: readonly CloudCheck[] = [
  check('a detached volume is migrated: in maintenance meanwhile, then available in its new pool', async (target) => {
    const volume = await pickVolume(target, 'available');
    const to = await pickPool(target, volume);
    await target.cloud.volume.migrateVolume(volume.uuid, to);
    assert.equal((await find(target, volume)).status, 'maintenance');
    assert.equal((await arrived(target, volume, to)).migrationStatus, 'success');
    await moveBack(target, volume);
  }),
  check(
    'an attached volume stays in use while it is migrated, and its temporary one is never taken for it',
    async (target) => {
      const volume = await pickVolume(target, 'in-use');
      const to = await pickPool(target, volume);
      await target.cloud.volume.migrateVolume(volume.uuid, to);
      const temporary = await target.until('the temporary volume', async () => {
        const volumes = await target.cloud.volume.listVolumes();
        return volumes.find(({ migrationStatus }) => migrationStatus === `target:${volume.uuid}`);
      });
      assert.deepEqual([temporary.name, temporary.host], [volume.name, to]);
      assert.equal((await find(target, volume)).status, 'in-use');
      await arrived(target, volume, to);
      // For a moment Cinder lists neither the old attachment nor the new one.
      await target.until('the attachment of the volume', async () => {
        const { attachments } = await find(target, volume);
        return attachments.some(({ serverId }) => serverId === volume.attachments[0]?.serverId);
      });
      assert.equal((await target.cloud.volume.getVolumeByName(volume.name))?.uuid, volume.uuid);
      await moveBack(target, volume);
    },
  ),
  check('migrations of volumes that cannot begin are a 400', async (target) => {
    const { volume: cinder } = target.cloud;
    const volume = await pickVolume(target, 'available');
    const there = await refusalOf(cinder.migrateVolume(volume.uuid, volume.host ?? ''));
    assert.equal(there.status, 400);
    assert.match(there.message, /destination host\/cluster must be different than the current one/);
    const nowhere = await refusalOf(cinder.migrateVolume(volume.uuid, 'no-such-host@no#pool'));
    assert.equal(nowhere.status, 400);
    assert.match(nowhere.message, /No available service named 'no-such-host@no#pool'/);
  }),
  check('a pool that its backend does not have is taken, and ends in error', async (target) => {
    const volume = await pickVolume(target, 'available');
    await target.cloud.volume.migrateVolume(volume.uuid, `${volume.host?.split('#', 1)[0]}#no-such-pool`);
    const after = await atRest(target, volume);
    assert.deepEqual([after.migrationStatus, after.status, after.host], ['error', 'available', volume.host]);
  }),
  check('a volume of a server that is stopped is not migrated: taken, and ends in error', async (target) => {
    const volume = await pickVolume(target, 'in-use');
    const to = await pickPool(target, volume);
    const server = volume.attachments[0]?.serverId ?? '';
    const isIn = (status: string) => async () => {
      const found = await target.cloud.compute.getServer(server);
      return found?.status === status && found.taskState === null;
    };
    await target.cloud.compute.stopServer(server);
    await target.until('the stopped server', isIn('SHUTOFF'));
    try {
      await target.cloud.volume.migrateVolume(volume.uuid, to);
      const after = await atRest(target, volume);
      assert.deepEqual([after.migrationStatus, after.status, after.host], ['error', 'in-use', volume.host]);
    } finally {
      await target.cloud.compute.startServer(server);
      await target.until('the started server', isIn('ACTIVE'));
    }
  }),
  check('a change of type is refused to the type that it has and to an unknown one', async (target) => {
    const { volume: cinder } = target.cloud;
    const volume = await pickVolume(target, 'available');
    const same = await refusalOf(cinder.retypeVolume(volume.uuid, volume.volumeType ?? ''));
    assert.equal(same.status, 400);
    assert.match(same.message, /requested type has to be different that the one from the volume/);
    const unknown = await refusalOf(cinder.retypeVolume(volume.uuid, 'no-such-type'));
    assert.equal(unknown.status, 404);
    assert.match(unknown.message, /no-such-type could not be found/);
  }),
  check('a detached volume changes its type, and its backend with it', async (target) => {
    const { volume: cinder } = target.cloud;
    const volume = await pickVolume(target, 'available');
    const other = await pickOtherType(target, volume);
    await cinder.retypeVolume(volume.uuid, other);
    assert.equal((await find(target, volume)).status, 'retyping');
    const after = await atRest(target, volume);
    assert.deepEqual([after.volumeType, after.status], [other, 'available']);
    assert.notEqual(after.host, volume.host);
    await cinder.retypeVolume(volume.uuid, volume.volumeType ?? '');
    assert.equal((await atRest(target, volume)).volumeType, volume.volumeType);
  }),
];

function check(name: string, run: (target: ContractTarget) => Promise<void>): CloudCheck {
  return {
    name,
    async run(target) {
      const services = await target.cloud.identity.endpoint('block-storage');
      if (services !== null && (await target.cloud.volume.listVolumes()).length > 0) await run(target);
    },
  };
}

/** Returns the smallest volume with that status that fits into another pool of its type. */
async function pickVolume(target: ContractTarget, status: string): Promise<Volume> {
  const volumes = (await target.cloud.volume.listVolumes()).filter((one) => one.status === status);
  for (const volume of volumes.sort((a, b) => a.sizeGb - b.sizeGb))
    if ((await roomFor(target, volume)).length > 0) return volume;
  assert.fail(`the cloud has no volume that is ${status} and finds room elsewhere`);
}

async function roomFor({ cloud }: ContractTarget, { host, sizeGb }: Volume): Promise<StoragePool[]> {
  const pools = await cloud.volume.listPools();
  const own = pools.find(({ name }) => name === host);
  return pools.filter(
    ({ name, freeCapacityGb, volumeBackendName }) =>
      name !== host && volumeBackendName === own?.volumeBackendName && (freeCapacityGb ?? 0) > sizeGb,
  );
}

async function pickPool(target: ContractTarget, volume: Volume): Promise<string> {
  const [roomiest] = (await roomFor(target, volume)).sort((a, b) => (b.freeCapacityGb ?? 0) - (a.freeCapacityGb ?? 0));
  return roomiest?.name ?? '';
}

async function pickOtherType({ cloud }: ContractTarget, { volumeType }: Volume): Promise<string> {
  const backends = (await cloud.volume.listTypes()).filter(({ extraSpecs }) => extraSpecs.volume_backend_name);
  const own = backends.find(({ name }) => name === volumeType)?.extraSpecs.volume_backend_name;
  const other = backends.find(({ extraSpecs }) => extraSpecs.volume_backend_name !== own);
  assert.ok(other !== undefined, 'the cloud has no volume type of another backend');
  return other.name;
}

async function find({ cloud }: ContractTarget, { uuid, name }: Volume): Promise<Volume> {
  const found = await cloud.volume.getVolume(uuid);
  assert.ok(found !== null, `volume ${name} is there`);
  return found;
}

function atRest(target: ContractTarget, volume: Volume): Promise<Volume> {
  return target.until(`volume ${volume.name} at rest`, async () => {
    const found = await find(target, volume);
    const isMoving = ['starting', 'migrating', 'completing'].includes(found.migrationStatus ?? '');
    return !isMoving && ['available', 'in-use'].includes(found.status) ? found : null;
  });
}

async function arrived(target: ContractTarget, volume: Volume, pool: string): Promise<Volume> {
  const found = await atRest(target, volume);
  assert.deepEqual([found.host, found.status], [pool, volume.status]);
  return found;
}

async function moveBack(target: ContractTarget, volume: Volume): Promise<void> {
  await target.cloud.volume.migrateVolume(volume.uuid, volume.host ?? '');
  await arrived(target, volume, volume.host ?? '');
}
