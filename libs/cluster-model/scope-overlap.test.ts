import { expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { hostsInBoth, scopesMayOverlap } from './scope-overlap.ts';

const zone = (...names: string[]) => [{ compute: [{ availability_zones: names.map((name) => ({ name })) }] }];
const aggregate = [{ compute: [{ host_aggregates: [{ name: 'fast' }] }] }];

it.each([
  ['the whole cloud and a zone', [], zone('a'), true, 1],
  ['a common zone', zone('a', 'b'), zone('b', 'c'), true, 1],
  ['different zones', zone('a'), zone('b'), false, 0],
  ['a zone and all zones', zone('a'), zone('*'), true, 1],
  ['a zone and an aggregate', zone('a'), aggregate, true, 0],
])('judges %s', (_, one, other, mayOverlap, common) => {
  const world = createTestWorld({
    hosts: ['a', 'b', 'c'].map((name) => ({
      ...{ hostname: `host-${name}`, zone: name },
      aggregates: name === 'b' ? ['fast'] : [],
    })),
  });
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    expect(scopesMayOverlap(first, second)).toBe(mayOverlap);
    expect(hostsInBoth(world, first, second)).toBe(common);
  }
});
