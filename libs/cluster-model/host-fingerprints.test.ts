import { expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { hostFlag } from './compute-snapshot.ts';
import { hostFingerprints } from './host-fingerprints.ts';

const world = (hostOfSecond = 'b') =>
  createTestWorld({
    hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
    instances: [
      { name: 'first', host: 'a' },
      { name: 'second', host: hostOfSecond },
    ],
  });

const changed = (before: Map<string, string>, after: Map<string, string>) =>
  [...after].flatMap(([host, digest]) => (before.get(host) === digest ? [] : [host]));

it('a migration changes the fingerprints of its two hosts and of no other', () => {
  expect(changed(hostFingerprints(world()), hostFingerprints(world('c')))).toEqual(['b', 'c']);
});

it('a disabled compute service changes the fingerprint of its host', () => {
  const snapshot = world();
  const before = hostFingerprints(snapshot);
  snapshot.hosts.flags[0] = (snapshot.hosts.flags[0] as number) & ~hostFlag.enabled;
  expect(changed(before, hostFingerprints(snapshot))).toEqual(['a']);
});

it('load, states of instances and the size of a disk change no fingerprint', () => {
  const snapshot = world();
  const before = hostFingerprints(snapshot);
  snapshot.hosts.flags[1] = (snapshot.hosts.flags[1] as number) | hostFlag.unmeasured;
  snapshot.hosts.disk[1] = 7;
  snapshot.instances.state[0] = 4;
  expect(changed(before, hostFingerprints({ ...snapshot, takenAtMs: 1 }))).toEqual([]);
});
