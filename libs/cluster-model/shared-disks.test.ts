import { describe, expect, it } from 'vitest';
import { createTestWorld, type TestHost } from '#libs/plugin-kit/testing';
import { createWhatIf } from './create-what-if.ts';
import { createMovesTogether } from './moves-together.ts';

/** Hosts by the storage that they share, −1 for local disks. Each instance takes 40 GiB. */
function worldOn(storages: number[], free: number, hosts: Partial<TestHost>[] = []) {
  const names = ['a', 'b', 'c', 'd'].slice(0, storages.length);
  const world = createTestWorld({
    hosts: names.map((hostname, row) => ({ hostname, ...hosts[row] })),
    instances: names.map((host) => ({ name: `vm-${host}`, host, disk: storages[names.indexOf(host)] === -1 ? 40 : 0 })),
  });
  const rowsOf = (row: number) => storages[world.instances.host[row] as number] as number;
  return {
    ...world,
    sharedDisks: [0, 1].map((row) => ({ uuid: `nfs-${row}`, free, largest: 500 })),
    hostInfo: world.hostInfo.map((info, row) =>
      (storages[row] as number) < 0 ? info : { ...info, sharedDisk: storages[row] as number },
    ),
    instanceInfo: world.instanceInfo.map((info, row) => (rowsOf(row) < 0 ? info : { ...info, sharedDiskGb: 40 })),
  };
}

describe('storage that hosts share', () => {
  it.each([
    ['room for a second copy', [0, 0], 40, null],
    ['no room for a second copy', [0, 0], 39, 'shared-disk'],
    ['other storage', [0, 1], 400, 'shared-disk'],
    ['disks of its own', [0, -1], 400, 'shared-disk'],
  ] as const)('admits a move only with room there: %s', (_, storages, free, expected) => {
    const snapshot = worldOn([...storages], free);
    const instance = snapshot.instances.host.indexOf(0);
    expect(createWhatIf(snapshot).refusal(instance, 1)).toBe(expected);
  });

  it.each(['live', 'evacuate'] as const)('has as much room as before when an instance has left: %s', (way) => {
    const state = way === 'live' ? 'up' : 'down';
    const snapshot = worldOn([0, 0, 0], 60, [{ state }, { state }]);
    const model = createWhatIf(snapshot);
    const on = (host: number) => snapshot.instances.host.indexOf(host);
    expect(model.refusal(on(0), 2, { way })).toBeNull();
    model.move(on(0), 2);
    expect(model.refusal(on(1), 2, { way })).toBeNull();
  });

  it('has room for one copy after the other', () => {
    const snapshot = worldOn([0, 0, 0], 60);
    const { amountsOf, free } = createMovesTogether(snapshot);
    const poolsOf = (host: number) =>
      amountsOf(snapshot.instances.host.indexOf(0), host).filter(([, gib]) => gib === 40);
    expect(poolsOf(1)).toEqual(poolsOf(2));
    expect(poolsOf(1).map(([pool]) => free(pool))).toEqual([60]);
  });
});

it('few instances are admitted to a host that is kept for a project, and the what-if names them', () => {
  const snapshot = createTestWorld({
    hosts: [{ hostname: 'a' }, { hostname: 'kept', aggregates: ['tenants'] }],
    aggregates: [{ name: 'tenants', metadata: { filter_tenant_id: 'gold' } }],
    instances: Array.from({ length: 16 }, (_, row) => ({
      ...{ name: `vm-${row}`, host: 'a', projectId: row < 2 ? 'gold' : `other-${row}` },
    })),
  });
  const model = createWhatIf(snapshot);
  expect(model.fewAdmitted(0)).toBeNull();
  const few = model.fewAdmitted(1) ?? [];
  const admitted = snapshot.instanceInfo.flatMap((_, row) => (model.refusal(row, 1) === null ? [row] : []));
  expect(few).toEqual(admitted);
  expect(few).toHaveLength(2);
});
