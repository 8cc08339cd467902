import { describe, expect, it } from 'vitest';
import { buildStorageSnapshot } from '../storage/storage-builder.ts';
import type { StorageSnapshot } from '../storage/storage-snapshot.ts';
import { applyCinderEvent, readCinderEvent } from './apply-cinder-event.ts';

const pool = (name: string, thin = 'False') => ({
  name,
  volumeBackendName: 'b',
  totalCapacityGb: 100,
  freeCapacityGb: 90,
  provisionedCapacityGb: 10,
  allocatedCapacityGb: 10,
  capabilities: { thin_provisioning_support: thin },
});

const world = (): StorageSnapshot =>
  buildStorageSnapshot({
    services: [],
    pools: [pool('h@b#one'), pool('h@b#two', 'True')],
    types: [{ id: 'type-1', name: 'gold', extraSpecs: {} }],
    snapshots: [],
    volumes: [],
    takenAtMs: 1,
  });

const payload = (change: object = {}) => ({
  volume_id: 'v1',
  display_name: 'data',
  size: 10,
  status: 'available',
  host: 'h@b#one',
  volume_type: 'type-1',
  tenant_id: 'p',
  created_at: '2026-01-01T00:00:00',
  volume_attachment: [],
  ...change,
});

function reported(eventType: string, content: object, publisher = 'volume.h@b') {
  return readCinderEvent({ event_type: eventType, publisher_id: publisher, payload: content });
}

function applied(snapshot: StorageSnapshot, eventType: string, content: object): StorageSnapshot {
  const result = applyCinderEvent(snapshot, reported(eventType, content)!);
  if (result.kind !== 'applied') throw new Error(JSON.stringify(result));
  return result.snapshot;
}

const sizes = ({ pools }: StorageSnapshot) => pools.map((one) => [one.freeGb, one.provisionedGb, one.allocatedGb]);

describe('notifications of Cinder', () => {
  it('a volume is created, attached, extended and deleted, and its pool keeps account', () => {
    const before = world();
    const created = applied(before, 'volume.create.end', payload());
    expect(created.volumes).toMatchObject([
      { uuid: 'v1', name: 'data', sizeGb: 10, type: 'gold', pool: 0, host: 'h@b#one', serverUuids: [], projectId: 'p' },
    ]);
    expect(sizes(created)).toEqual([
      [80, 20, 20],
      [90, 10, 10],
    ]);
    expect(applied(created, 'volume.create.end', payload())).toEqual(created);

    const attachment = { volume_attachment: [{ instance_uuid: 's1' }], status: 'in-use' };
    const attached = applied(created, 'volume.attach.end', payload(attachment));
    expect(attached.volumes[0]).toMatchObject({ serverUuids: ['s1'], status: 'in-use' });

    const extended = applied(attached, 'volume.resize.end', payload({ ...attachment, size: 15 }));
    expect(sizes(extended)[0]).toEqual([75, 25, 25]);

    const gone = applied(extended, 'volume.delete.end', payload());
    expect(gone).toEqual(before);
    expect(before).toEqual(world());
  });

  it('a thin pool loses no room before the first write', () => {
    const created = applied(world(), 'volume.create.end', payload({ host: 'h@b#two' }));
    expect(sizes(created)[1]).toEqual([90, 20, 20]);
  });

  describe('of a migration', () => {
    const inUse = { status: 'in-use', volume_attachment: [{ instance_uuid: 's1' }] };
    const attached = () => applied(world(), 'volume.create.end', payload(inUse));
    const afterwards = (snapshot: StorageSnapshot, eventType: string, content: object) =>
      applyCinderEvent(snapshot, reported(eventType, content)!);

    it('the temporary volume that its server gets is never added', () => {
      const temporary = payload({ ...inUse, volume_id: 'v2', host: 'h@b#two' });
      for (const eventType of ['attach', 'update', 'resize'].map((action) => `volume.${action}.end`)) {
        expect(afterwards(attached(), eventType, temporary)).toEqual({
          kind: 'resync',
          reason: 'volume v2 is not known; it may be the temporary one of a migration',
        });
      }
    });

    it.each(['in-use', 'retyping', 'detaching'])(
      'the real volume that loses its server while it is %s keeps it',
      (status) => {
        expect(afterwards(attached(), 'volume.detach.end', payload({ status }))).toEqual({
          kind: 'resync',
          reason: `volume v1 has lost a server and is ${status}; it may be on its way to another pool`,
        });
        expect(afterwards(attached(), 'volume.detach.end', payload()).kind).toBe('applied');
        const shared = payload({ status, volume_attachment: [{ instance_uuid: 's2' }] });
        const kind = status === 'in-use' ? 'applied' : 'resync';
        expect(afterwards(attached(), 'volume.detach.end', shared).kind).toBe(kind);
      },
    );

    it('an event about a moving volume does not change its place', () => {
      const before = attached();
      const moving = { ...before, volumes: before.volumes.map((one) => ({ ...one, migrationStatus: 'migrating' })) };
      expect(afterwards(moving, 'volume.update.end', payload(inUse)).kind).toBe('resync');
      const moved = { ...before, volumes: before.volumes.map((one) => ({ ...one, migrationStatus: 'success' })) };
      expect(afterwards(moved, 'volume.update.end', payload(inUse)).kind).toBe('applied');
    });
  });

  it('an event that comes late does not take a volume back to the pool that it has left', () => {
    const there = applied(world(), 'volume.create.end', payload({ host: 'h@b#two' }));
    for (const eventType of ['create', 'attach', 'detach', 'update', 'extend'].map((action) => `volume.${action}.end`))
      expect(applyCinderEvent(there, reported(eventType, payload())!)).toEqual({
        kind: 'resync',
        reason: 'volume v1 is reported in h@b#one; the event may be from before it left that pool',
      });
  });

  it.each(['2026-01-01T00:00:00', '2026-01-01T01:00:00+01:00', '2026-01-01 00:00:00+00:00'])(
    'a volume of %s that the listing does not have is not born again by an event that comes twice',
    (createdAt) => {
      const event = reported('volume.create.end', payload({ created_at: createdAt }))!;
      const listed = (takenAt: string) => ({ ...world(), takenAtMs: Date.parse(takenAt) });
      expect(applyCinderEvent(listed('2026-01-01T00:00:01Z'), event).kind).toBe('resync');
      expect(applyCinderEvent(listed('2025-12-31T23:59:59Z'), event).kind).toBe('applied');
    },
  );

  it('a pool reports its sizes', () => {
    const content = { name_to_id: 'h@b#two', total: 200, free: 'infinite', provisioned: 33, allocated: 44 };
    const event = reported('capacity.pool', content, 'capacity.h@b#two');
    const result = applyCinderEvent(world(), event!);
    expect(result).toMatchObject({
      kind: 'applied',
      snapshot: { pools: [{}, { totalGb: 200, freeGb: 90, provisionedGb: 33, allocatedGb: 44 }] },
    });
  });

  it.each([
    ['volume.create.start', payload(), 'ignored'],
    ['volume.delete.end', payload({ volume_id: 'unknown' }), 'ignored'],
    ['volume.retype', payload(), 'resync'],
    ['volume.create.end', payload({ host: 'h@b#three' }), 'resync'],
    ['volume.create.end', payload({ volume_type: 'type-2' }), 'resync'],
    ['volume.create.end', payload({ size: undefined }), 'resync'],
    ['capacity.pool', { name_to_id: 'h@b#three' }, 'resync'],
    ['snapshot.delete.end', { volume_id: 'v1' }, 'resync'],
  ])('%s with %j: %s', (eventType, content, kind) => {
    expect(applyCinderEvent(world(), reported(eventType, content)!).kind).toBe(kind);
  });

  it('reads versioned and plain payloads of Cinder and nothing else', () => {
    expect(reported('volume.create.end', { 'nova_object.data': { size: 1 } })?.payload).toEqual({ size: 1 });
    expect(reported('volume.create.end', payload(), 'nova-compute:a')).toBeNull();
    expect(reported('instance.update', payload())).toBeNull();
  });
});
