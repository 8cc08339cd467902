import { describe, expect, it } from 'vitest';
import { createFakeCloud, createTestActionContext, refusal } from '#tests';
import type { VolumeMigrateInput } from './find-volume.ts';
import { volumeMigrate as action } from './volume-migrate.ts';

const id = '11111111-2222-4333-8444-555555555555';
const server = '22222222-2222-4333-8444-555555555555';
const [one, two] = ['a@lvm#one', 'a@lvm#two'];

type Options = Parameters<typeof createFakeCloud>[0];
type VolumeChange = Partial<NonNullable<Options['volumes']>[number]>;

function setUp(change: Partial<VolumeMigrateInput> = {}, volume: VolumeChange = {}, servers: Options['servers'] = []) {
  const cloud = createFakeCloud({
    hosts: [{ name: 'a' }],
    servers,
    volumes: [{ uuid: id, volumeType: 'plain', ...volume }],
    types: [
      { id: '1', name: 'plain', extraSpecs: {} },
      { id: '2', name: 'fast', extraSpecs: { volume_backend_name: 'ceph', other: 'x' } },
    ],
  });
  const input: VolumeMigrateInput = { resource_id: id, migration_type: 'migrate', destination_node: two, ...change };
  return { cloud, context: createTestActionContext(cloud, input) };
}

const retype = { migration_type: 'retype', destination_node: undefined, destination_type: 'fast' } as const;
const attached = { status: 'in-use', attachments: [{ serverId: server, attachmentId: 'x' }] };
const calls = (cloud: ReturnType<typeof createFakeCloud>) =>
  cloud.mutations.map(({ call, argument }) => `${call} ${argument}`);

describe('before', () => {
  it.each([
    [{}, {}],
    [retype, {}],
    [{ migration_type: 'swap' as const }, {}],
    [{}, { uuid: 'elsewhere', name: id }],
  ])('continues for %o %o', async (change, volume) => {
    expect(await action.preCondition(setUp(change, volume).context)).toEqual({ go: true });
  });

  it.each([
    [{}, { uuid: 'elsewhere' }, `Volume ${id} not found`],
    [{}, { host: two }, `Volume is already on node ${two}`],
    [retype, { volumeType: 'fast' }, 'Volume type is already fast'],
  ])('skips %o %o', async (change, volume, skip) => {
    expect(await action.preCondition(setUp(change, volume).context)).toEqual({ go: false, skip });
  });

  it.each([
    [{ destination_node: 'x@y#z' }, {}, 'Pool x@y#z not found'],
    [{ ...retype, destination_type: 'odd' }, {}, 'Volume type odd not found'],
    [{ destination_node: null }, {}, 'destination_node is missing'],
    [{}, { host: null }, `Cinder does not show the host of volume ${id}`],
    [
      {},
      { multiattach: true, attachments: [...attached.attachments, ...attached.attachments] },
      'attached to 2 servers',
    ],
  ])('fails for %o %o', async (change, volume, message) => {
    await expect(action.preCondition(setUp(change, volume).context)).rejects.toThrow(message);
  });
});

describe('migrate', () => {
  it('arrives, with one request, and waits until the shadow is removed', async () => {
    const { cloud, context } = setUp();
    expect(await action.execute(context)).toBe(true);
    expect(cloud.volumes.get(id)).toMatchObject({ host: two, status: 'available', migrationStatus: 'success' });
    expect(cloud.volumes.size).toBe(1);
    expect(calls(cloud)).toEqual([`migrateVolume ${two}`]);
    expect(context.trail).toEqual(['intent', 'guard', 'result']);
  });

  it('moves a volume in use only of a server that runs or is paused', async () => {
    const running = setUp({}, attached, [{ uuid: server, host: 'a' }]);
    expect(await action.execute(running.context)).toBe(true);
    const off = setUp({}, attached, [{ uuid: server, host: 'a', status: 'SHUTOFF' }]);
    await expect(action.execute(off.context)).rejects.toThrow(`is attached to server ${server} (SHUTOFF)`);
    await expect(action.execute(setUp({}, attached).context)).rejects.toThrow('(gone)');
  });

  it('refuses a pool that the type cannot use', async () => {
    const { cloud, context } = setUp({}, { volumeType: 'fast' });
    await expect(action.execute(context)).rejects.toThrow(
      `Volume type 'fast' is not compatible with destination pool '${two}'`,
    );
    expect(cloud.mutations).toEqual([]);
  });

  it.each([
    [{}],
    // Cinder keeps it of a migration that left the volume where it was.
    [{ migrationStatus: 'error' }],
  ])('counts a volume that is there as moved: %o', async (state) => {
    const { cloud, context } = setUp({}, { host: two, ...state });
    expect(await action.execute(context)).toBe(true);
    expect(cloud.mutations).toEqual([]);
  });

  it('fails when Cinder fails, regardless of an earlier migration', async () => {
    const { context } = setUp({}, { fails: true });
    await expect(action.execute(context)).rejects.toThrow('The migration ended in status error');
    const later = setUp({}, { migrationStatus: 'error' });
    expect(await action.execute(later.context)).toBe(true);
  });

  it('reports the last migration_status when its time is over', async () => {
    const cloud = createFakeCloud({ hosts: [], volumes: [{ uuid: id }], pollsPerMigration: 1000 });
    const context = createTestActionContext(cloud, setUp().context.input);
    context.options = { ...context.options, volumeMigrationTimeoutMs: 60_000 };
    await expect(action.execute(context)).rejects.toThrow(
      'timeout after 60s (last status maintenance, migration_status migrating)',
    );
  });

  it('sends one request when the response is lost', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'migrateVolume', when: 'after', error: refusal(0, 'reset', true) });
    expect(await action.execute(context)).toBe(true);
    expect(cloud.mutations).toHaveLength(1);
  });
});

it('does not repeat a migration that failed like the one before it while its response was lost', async () => {
  const { cloud, context } = setUp(
    {},
    { migrationStatus: 'error', updatedAt: '2025-12-31T00:00:00.000000', fails: true },
  );
  cloud.fail({ call: 'migrateVolume', when: 'after', error: new Error('killed') });
  await expect(action.execute(context)).rejects.toThrow('killed');
  // The successor first polls after the end.
  while (cloud.volumes.get(id)?.migrationStatus === 'migrating') await cloud.volume.getVolume(id);
  expect(await action.probe(context.again())).toBe('failed');
  await expect(action.execute(context.again())).rejects.toThrow('The migration ended in status error');
  expect(cloud.mutations).toHaveLength(1);
});

describe('retype', () => {
  it('waits for the type', async () => {
    const { cloud, context } = setUp(retype);
    expect(await action.execute(context)).toBe(true);
    expect(cloud.volumes.get(id)).toMatchObject({ volumeType: 'fast', status: 'available' });
    expect(calls(cloud)).toEqual(['retypeVolume fast']);
  });

  it('fails when the volume keeps its type', async () => {
    const { context } = setUp(retype, { fails: true });
    await expect(action.execute(context)).rejects.toThrow('The volume has type plain and status available');
  });
});

it.each([{}, retype])('%o is continued by a successor without a second request', async (change) => {
  const { cloud, context } = setUp(change);
  expect(await action.probe(context)).toBe('not_started');
  const call = 'destination_type' in change ? 'retypeVolume' : 'migrateVolume';
  cloud.fail({ call, when: 'after', error: new Error('killed') });
  await expect(action.execute(context)).rejects.toThrow('killed');
  expect(await action.probe(context.again())).toBe('in_progress');
  expect(await action.waitFor(context.again())).toBe(true);
  expect(await action.probe(context.again())).toBe('applied');
  expect(cloud.mutations).toHaveLength(1);
});

describe('revert', () => {
  it.each([
    [{}, [`migrateVolume ${two}`, `migrateVolume ${one}`], { host: one }],
    [retype, ['retypeVolume fast', 'retypeVolume plain'], { volumeType: 'plain' }],
  ])('of %o is reverted', async (change, made, end) => {
    const { cloud, context } = setUp(change);
    await action.execute(context);
    expect(await action.revert(context.again())).toBe(true);
    expect(calls(cloud)).toEqual(made);
    expect(cloud.volumes.get(id)).toMatchObject(end);
  });

  it('finds the volume in its pool when a later migration from there failed', async () => {
    const { cloud, context } = setUp();
    await action.execute(context);
    const volume = cloud.volumes.get(id);
    Object.assign(volume ?? {}, { host: one, migrationStatus: 'error' });
    expect(await action.revert(context.again())).toBe(true);
    expect(calls(cloud)).toEqual([`migrateVolume ${two}`]);
  });
});
