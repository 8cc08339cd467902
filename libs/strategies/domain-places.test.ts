import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createFailureReserve } from './failure-reserve.ts';

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
