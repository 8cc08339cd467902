import { expect, it } from 'vitest';
import { createWhatIf, type WhatIf } from '#libs/cluster-model';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createDomainPlaces, createSizes } from './domain-places.ts';
import { failureDomains } from './failure-domains.ts';
import { createFailureReserve } from './failure-reserve.ts';
import { createReserveGuard } from './reserve-guard.ts';

it('keeps a host for the largest instance, however seldom its size is', () => {
  const large = ['l0', 'l1'].map((hostname) => ({ hostname, vcpus: 64, memory: 131_072 }));
  const small = Array.from({ length: 12 }, (_, row) => ({ hostname: `s${row}`, vcpus: 64, memory: 16_384 }));
  const frequent = [1, 2, 3, 4, 5, 6].flatMap((vcpus) =>
    ['s0', 's1'].map((host) => ({ name: `${host}-${vcpus}`, host, vcpus, memory: vcpus * 512 })),
  );
  const snapshot = createTestWorld({
    hosts: [...large, ...small],
    instances: [{ name: 'huge', host: 'l0', vcpus: 2, memory: 65_536 }, ...frequent],
  });
  const reserve = createFailureReserve(createWhatIf(snapshot), [...snapshot.hostInfo.keys()], 1);
  expect([1, 12, 13].map((host) => reserve.needs(host))).toEqual([true, false, false]);
});

it('keeps a host for a size that is neither frequent nor the largest of anything', () => {
  const rows = [0, 1, 2, 3];
  const frequent = [1, 2, 3, 4, 5, 6].flatMap((vcpus) =>
    ['m0', 'm1'].map((host) => ({ name: `${host}-${vcpus}`, host, vcpus, memory: vcpus * 64, disk: 0 })),
  );
  const needsSecond = (rare: { name: string; host: string; vcpus: number; memory: number; disk: number }[]) => {
    const snapshot = createTestWorld({
      hosts: [
        ...['b0', 'b1'].map((hostname) => ({ hostname, vcpus: 64, memory: 32_768, disk: 200 })),
        ...rows.map((row) => ({ hostname: `m${row}`, vcpus: 64, memory: 32_768, disk: 50 })),
        ...rows.map((row) => ({ hostname: `d${row}`, vcpus: 64, memory: 1024, disk: 2000 })),
      ],
      instances: [
        { name: 'most-memory', host: 'm0', vcpus: 6, memory: 16_384, disk: 0 },
        { name: 'most-disk', host: 'd0', vcpus: 2, memory: 64, disk: 400 },
        ...frequent,
        ...rare,
      ],
    });
    const reserve = createFailureReserve(createWhatIf(snapshot), [...snapshot.hostInfo.keys()], 1);
    return reserve.needs(1);
  };
  expect(needsSecond([{ name: 'both', host: 'b0', vcpus: 2, memory: 8192, disk: 100 }])).toBe(true);
  expect(needsSecond([])).toBe(false);
});

it('lets no instance into a domain where its size would have no other place', () => {
  const snapshot = createTestWorld({
    hosts: [
      { hostname: 'big', zone: 'az1', memory: 32_768, disk: 2000 },
      { hostname: 'small', zone: 'az1', memory: 32_768, disk: 10 },
      ...['x', 'y'].map((hostname) => ({ hostname, zone: 'az2', memory: 32_768, disk: 2000 })),
    ],
    instances: [
      { name: 'rare', host: 'x', vcpus: 1, memory: 512, disk: 1000 },
      ...[512, 1024, 2048].flatMap((memory) =>
        ['big', 'small'].map((host) => ({ name: `${host}-${memory}`, host, vcpus: 1, memory, disk: 0 })),
      ),
    ],
  });
  const model = createWhatIf(snapshot);
  const guard = createReserveGuard(model, 1);
  const moved = (host: number) => {
    const from = model.hostOf[0] as number;
    model.move(0, host);
    return guard.keeps([from, host]);
  };
  expect([3, 0, 2].map(moved)).toEqual([true, false, true]);
});

it('keeps the reserve for one failure where that for two does not fit', () => {
  const large = ['l0', 'l1'].map((hostname) => ({ hostname, vcpus: 64 }));
  const small = [0, 1, 2, 3].map((row) => ({ hostname: `s${row}`, vcpus: 8 }));
  const snapshot = createTestWorld({
    hosts: [...large, ...small],
    instances: [{ name: 'large', host: 'l0', vcpus: 32, memory: 1024 }],
  });
  const reserve = createFailureReserve(createWhatIf(snapshot), [...snapshot.hostInfo.keys()], 2);
  expect([1, 5].map((host) => reserve.needs(host))).toEqual([true, false]);
});

it('counts no places on hosts of other storage for instances with disks on shared storage', () => {
  const hosts = ['a0', 'a1', 'a2', 'b0', 'b1', 'b2'];
  const world = createTestWorld({
    hosts: hosts.map((hostname) => ({ hostname, vcpus: 8 })),
    instances: ['a0', 'a1', 'b0'].map((host) => ({ name: `on ${host}`, host, vcpus: 6, disk: 0 })),
  });
  const needed = (sharedDiskGb: number) => {
    const snapshot = {
      ...world,
      sharedDisks: ['nfs-a', 'nfs-b'].map((uuid) => ({ uuid, free: 1000, largest: 1000 })),
      hostInfo: world.hostInfo.map((info) => ({ ...info, sharedDisk: info.hostname.startsWith('a') ? 0 : 1 })),
      instanceInfo: world.instanceInfo.map((info) => ({ ...info, sharedDiskGb })),
    };
    const rows = [...snapshot.hostInfo.keys()];
    const reserve = createFailureReserve(createWhatIf(snapshot), rows, 1);
    const guard = createReserveGuard(createWhatIf(snapshot), 1);
    expect(guard.keeps([])).toBe(true);
    return rows.filter((row) => reserve.needs(row)).map((row) => hosts[row]);
  };
  // It is the only place on its storage for the instances of a0 and a1.
  expect(needed(40)).toEqual(['a2']);
  expect(needed(0)).toEqual([]);
});

it('counts a later placement of the same snapshot again, and keeps earlier counts', () => {
  const world = () =>
    createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
      instances: [
        { name: 'large', host: 'b', vcpus: 8 },
        { name: 'one', host: 'b', vcpus: 4 },
        { name: 'other', host: 'c', vcpus: 4 },
      ],
    });
  const slackOf = (model: WhatIf) => {
    const hosts = [...model.snapshot.hostInfo.keys()];
    return failureDomains(model.snapshot, hosts).map((domain) => {
      const places = createDomainPlaces(model, domain, createSizes(model), 1);
      return { places, slack: places.slack() };
    });
  };
  const moved = (model: WhatIf) => {
    model.move(1, 2);
    return model;
  };
  const snapshot = world();
  const model = createWhatIf(snapshot);
  const first = slackOf(model);
  const second = slackOf(moved(model));

  expect(second.map(({ slack }) => slack)).toEqual(slackOf(moved(createWhatIf(world()))).map(({ slack }) => slack));
  expect(second.map(({ slack }) => slack)).not.toEqual(first.map(({ slack }) => slack));
  expect(first.map(({ places }) => places.slack())).toEqual(first.map(({ slack }) => slack));
  expect(slackOf(createWhatIf(snapshot)).map(({ slack }) => slack)).toEqual(first.map(({ slack }) => slack));
  for (const { places } of first) for (const host of [0, 1, 2]) places.setInUse(host, false);
  expect(slackOf(createWhatIf(snapshot)).map(({ slack }) => slack)).toEqual(first.map(({ slack }) => slack));
});
