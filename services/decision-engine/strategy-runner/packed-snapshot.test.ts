import { expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { packSnapshot, unpackSnapshot } from './packed-snapshot.ts';

function world() {
  const snapshot = createTestWorld({
    hosts: [{ hostname: 'a' }, { hostname: 'b' }],
    instances: ['one', 'two', 'three', 'four'].map((name) => ({ name, host: 'a' })),
  });
  const flavorExtraSpecs = { 'hw:cpu_policy': 'dedicated' };
  const [refused, specs] = [{ refusedHosts: ['b'] }, { flavorExtraSpecs, sharedDiskGb: 5 }];
  const additions = [specs, specs, refused, {}];
  const metadata = {};
  return {
    ...snapshot,
    instanceInfo: snapshot.instanceInfo.map((info, row) => ({ ...info, metadata, ...additions[row] })),
  };
}

it('a packed snapshot is the same when it is unpacked, and equal attributes of its instances are one object', () => {
  const snapshot = world();
  const unpacked = unpackSnapshot(structuredClone(packSnapshot(snapshot)));
  expect(unpacked).toEqual(snapshot);
  const [one, two, three] = unpacked.instanceInfo;
  expect(one?.flavorExtraSpecs).toBe(two?.flavorExtraSpecs);
  expect(one?.metadata).toBe(three?.metadata);
});

it('the attributes of a model are packed once, in shared memory', () => {
  const snapshot = world();
  const { instanceInfo } = packSnapshot(snapshot);
  expect(instanceInfo.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(packSnapshot({ ...snapshot, complete: false }).instanceInfo).toBe(instanceInfo);
});
