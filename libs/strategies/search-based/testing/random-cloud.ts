import fc from 'fast-check';
import { type TestMetrics, type TestWorld, testUuid } from '#libs/plugin-kit/testing';

const policies = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'] as const;

const anyHost = fc.record({
  vcpus: fc.constantFrom(8, 16, 32),
  ratio: fc.constantFrom(1, 4),
  memory: fc.constantFrom(16_384, 65_536),
  zone: fc.constantFrom('z1', 'z2'),
  chance: fc.integer({ min: 0, max: 9 }),
});

const anyInstance = fc.record({
  host: fc.nat(20),
  vcpus: fc.constantFrom(1, 2, 4),
  memory: fc.constantFrom(1024, 2048, 8192),
  load: fc.option(fc.integer({ min: 0, max: 100 }), { freq: 5 }),
  group: fc.option(fc.nat(3), { freq: 2 }),
  chance: fc.integer({ min: 0, max: 9 }),
});

/**
 * Small clouds with unequal hosts, zones, groups, locked and stopped instances, and loads of which some are not
 * measured.
 */
export const randomCloud: fc.Arbitrary<{ world: TestWorld; metrics: TestMetrics }> = fc
  .record({
    hosts: fc.array(anyHost, { minLength: 2, maxLength: 6 }),
    instances: fc.array(anyInstance, { maxLength: 30 }),
  })
  .map(({ hosts, instances }) => {
    const world: TestWorld = {
      hosts: hosts.map(({ vcpus, ratio, memory, zone, chance }, index) => ({
        hostname: `h${index}`,
        vcpus,
        vcpusRatio: ratio,
        memory,
        zone,
        ...(chance === 0 ? { status: 'disabled' as const } : {}),
        ...(chance === 1 ? { state: 'down' as const } : {}),
      })),
      instances: instances.map(({ host, vcpus, memory, group, chance }, index) => ({
        name: `vm${index}`,
        host: `h${host % hosts.length}`,
        vcpus,
        memory,
        locked: chance === 0,
        ...(chance === 1 ? { state: 'stopped' as const } : {}),
        ...(chance === 2 ? { pinnedZone: 'z1' } : {}),
        ...(group === null ? {} : { group: policies[group % policies.length] }),
      })),
      groups: policies.map((policy) => ({ name: policy, policy })),
    };
    const measured = instances.flatMap(({ load }, index): [string, number][] =>
      load === null ? [] : [[testUuid(`vm${index}`), load]],
    );
    return { world, metrics: { instance_cpu_usage: Object.fromEntries(measured) } };
  });
