import { describe, expect, it } from 'vitest';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { hostFlag, instanceFlag, instanceStates } from '../compute-snapshot.ts';
import { applyNovaEvent } from './apply-nova-event.ts';
import { readNovaEvent } from './nova-event.ts';

const world = () =>
  createTestWorld({
    hosts: [{ hostname: 'a' }, { hostname: 'b' }],
    instances: [
      { name: 'web', host: 'a', vcpus: 2, memory: 1024, disk: 10 },
      { name: 'db', host: 'b', vcpus: 4, memory: 2048, disk: 20 },
    ],
  });

const object = (data: object) => ({ 'nova_object.name': 'X', 'nova_object.data': data });
const flavor = object({ vcpus: 2, memory_mb: 1024, root_gb: 10, ephemeral_gb: 0, swap: 0, extra_specs: {} });
const snapshotOfWeb = world();
const web = snapshotOfWeb.instanceInfo.find(({ name }) => name === 'web')!.uuid;
const server = (change: object = {}) =>
  object({
    uuid: web,
    display_name: 'web',
    host: 'a',
    state: 'active',
    task_state: null,
    image_uuid: 'image',
    locked: false,
    metadata: {},
    flavor,
    ...change,
  });

function apply(eventType: string, payload: object, snapshot = world()) {
  return applyNovaEvent(snapshot, readNovaEvent({ event_type: eventType, payload })!);
}

function applied(eventType: string, payload: object, snapshot = world()) {
  const result = apply(eventType, payload, snapshot);
  if (result.kind !== 'applied') throw new Error(JSON.stringify(result));
  const after = result.snapshot;
  const row = after.instanceInfo.findIndex(({ uuid }) => uuid === web);
  const { instances } = after;
  return {
    after,
    row,
    flags: instances.flags[row],
    host: instances.host[row],
    state: instanceStates[instances.state[row]!],
  };
}

describe('instances', () => {
  it('on storage that hosts share take no disk of a host; new ones have it read again', () => {
    const own = world();
    const shared = {
      ...own,
      sharedDisks: [{ uuid: 'nfs', free: 100, largest: 100 }],
      hostInfo: own.hostInfo.map((info) => ({ ...info, sharedDisk: 0 })),
      instanceInfo: own.instanceInfo.map((info) => ({ ...info, sharedDiskGb: 10 })),
      instances: { ...own.instances, disk: new Float64Array(2) },
    };
    const { after, row } = applied('instance.update', server({ host: 'b' }), shared);
    expect([after.instances.disk[row], after.instanceInfo[row]?.sharedDiskGb]).toEqual([0, 10]);
    expect(after.hosts.diskUsed).toEqual(shared.hosts.diskUsed);
    const anew = apply('instance.update', server({ uuid: testUuid('other') }), shared);
    expect(anew).toMatchObject({ kind: 'resync', reason: expect.stringContaining('storage that hosts share') });
    const hostInfo = shared.hostInfo.map(({ sharedDisk: _, ...info }, at) =>
      at === 0 ? { ...info, sharedDisk: 0 } : info,
    );
    expect(apply('instance.update', server({ host: 'b' }), { ...shared, hostInfo }).kind).toBe('resync');
  });

  it('with dedicated CPUs take those, and leave the others alone, when they move and when they go', () => {
    const pinned = { flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } };
    const before = createTestWorld({
      hosts: ['a', 'b'].map((hostname) => ({ hostname, dedicatedCpus: 8 })),
      instances: [{ name: 'web', host: 'a', vcpus: 2, ...pinned }],
    });
    const flavorOfWeb = object({ vcpus: 2, memory_mb: 1024, root_gb: 10, extra_specs: pinned.flavorExtraSpecs });
    const moved = applied('instance.live_migration_post_dest.end', server({ host: 'b', flavor: flavorOfWeb }), before);
    const use = ({ hosts, hostInfo }: typeof before) =>
      hostInfo.map(({ dedicatedCpus }, row) => [hosts.vcpusUsed[row], dedicatedCpus?.used]);
    expect([use(before), use(moved.after)]).toEqual([
      [
        [0, 2],
        [0, 0],
      ],
      [
        [0, 0],
        [0, 2],
      ],
    ]);
    const gone = apply('instance.delete.end', server({ host: 'b', state: 'deleted' }), moved.after);
    expect(gone.kind === 'applied' && use(gone.snapshot)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('that are new are read with their image where images say something about hosts, and built ones only at the end', () => {
    const before = createTestWorld({
      hosts: [{ hostname: 'a' }],
      instances: [{ name: 'db', host: 'a', imageProperties: { hw_numa_nodes: '2' } }],
    });
    expect(apply('instance.update', server({ state: 'building' }), before).kind).toBe('ignored');
    expect(apply('instance.create.end', server(), before)).toMatchObject({ kind: 'resync' });
    expect(apply('instance.create.end', server({ image_uuid: '' }), before).kind).toBe('applied');
  });

  it('a live migration takes use from one host to the other and leaves the given snapshot alone', () => {
    const before = world();
    const { after, host } = applied('instance.live_migration_post_dest.end', server({ host: 'b' }), before);
    expect(host).toBe(1);
    expect([...after.hosts.vcpusUsed].map((used, row) => used - before.hosts.vcpusUsed[row]!)).toEqual([-2, 2]);
    expect([...after.hosts.memoryUsed].map((used, row) => used - before.hosts.memoryUsed[row]!)).toEqual([-1024, 1024]);
    expect(before).toEqual(world());
    const twice = applied('instance.live_migration_post_dest.end', server({ host: 'b' }), after);
    expect(twice.after).toEqual(after);
    expect(after.instances.host.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it.each([
    ['instance.update', { task_state: 'migrating' }, { state: 'active', flags: instanceFlag.busy }],
    ['instance.update', { power_state: 'shutdown' }, { state: 'active', flags: instanceFlag.noGuest }],
    ['instance.update', { power_state: 'running' }, { state: 'active', flags: 0 }],
    ['instance.lock', { locked: true }, { state: 'active', flags: instanceFlag.locked }],
    ['instance.power_off.end', { state: 'stopped' }, { state: 'stopped', flags: 0 }],
    ['instance.suspend.end', { state: 'suspended' }, { state: 'suspended', flags: 0 }],
    ['instance.update', { state: 'of the future' }, { state: 'error', flags: 0 }],
  ])('%s %j', (eventType, change, expected) => {
    expect(applied(eventType, server(change))).toMatchObject({ ...expected, host: 0 });
  });

  it('a new one takes its place in the order of uuids, in its zone, and its room', () => {
    const before = world();
    const uuid = '00000000-0000-4000-8000-000000000000';
    const payload = server({ uuid, display_name: 'new', host: 'b', availability_zone: 'z' });
    const { after } = applied('instance.create.end', payload, before);
    expect(after.instanceInfo.map((info) => info.uuid)).toEqual(
      [...before.instanceInfo.map((info) => info.uuid), uuid].sort(),
    );
    const row = after.instanceInfo.findIndex((info) => info.uuid === uuid);
    expect(after.instanceInfo[row]).toMatchObject({ name: 'new', pinnedZone: 'z' });
    expect(after.instances.group[row]).toBe(-1);
    expect(after.hosts.vcpusUsed[1]).toBe(before.hosts.vcpusUsed[1]! + 2);
    expect(applied('instance.delete.end', payload, after).after).toEqual(before);
    expect(apply('instance.update', server({ uuid, state: 'building', task_state: 'spawning' })).kind).toBe('ignored');
  });

  it.each([
    ['instance.live_migration_post.end', server({ host: 'a' }), 'ignored'],
    ['instance.exists', server(), 'ignored'],
    ['instance.delete.end', server({ uuid: testUuid('gone') }), 'ignored'],
    ['instance.update', server({ host: 'unknown' }), 'resync'],
    ['instance.update', server({ host: 'b', state: 'resized' }), 'resync'],
    ['instance.update', object({ uuid: web }), 'resync'],
    ['instance.resize_confirm.end', server(), 'resync'],
    ['instance.share_attach.end', server(), 'resync'],
    ['instance.soft_delete.end', server({ state: 'soft-delete' }), 'resync'],
    ['aggregate.add_host.end', object({}), 'resync'],
    ['server_group.add_member', object({}), 'resync'],
  ])('%s with %j: %s', (eventType, payload, kind) => {
    expect(apply(eventType, payload).kind).toBe(kind);
  });
});

describe('services', () => {
  const service = (change: object) =>
    object({ binary: 'nova-compute', host: 'a', disabled: false, forced_down: false, ...change });

  it('is disabled with its reason, and enabled again', () => {
    const off = applied('service.update', service({ disabled: true, disabled_reason: 'disk' })).after;
    expect([off.hosts.flags[0], off.hostInfo[0]?.disabledReason]).toEqual([hostFlag.up, 'disk']);
    const on = applied('service.update', service({}), off).after;
    expect(on).toEqual(world());
  });

  it('is down when it is forced, and unclear when it no longer is', () => {
    const down = applied('service.update', service({ forced_down: true })).after;
    expect(down.hosts.flags[0]).toBe(hostFlag.enabled | hostFlag.forcedDown);
    expect(apply('service.update', service({}), down).kind).toBe('resync');
  });

  it.each([
    [service({ host: 'unknown' }), 'resync'],
    [service({ binary: 'nova-conductor' }), 'ignored'],
  ])('%j: %s', (payload, kind) => {
    expect(apply('service.update', payload).kind).toBe(kind);
  });
});

it('a text that is no versioned notification is ignored', () => {
  expect(readNovaEvent({ event_type: 'compute.instance.update', payload: { uuid: web } })).toBeNull();
});
