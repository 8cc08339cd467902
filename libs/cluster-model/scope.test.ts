import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidInputError, type JsonObject, scopesMayOverlap } from '#libs/domain';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { instanceFlag } from './compute-snapshot.ts';
import { applyScope, hostsInBoth } from './scope.ts';

const names = Array.from({ length: 5 }, (_, index) => `host${index}`);
const snapshot = createTestWorld({
  hosts: names.map((hostname, index) => ({
    hostname,
    vcpus: index + 1,
    zone: `AZ${index}`,
    aggregates: index < 2 ? ['prod'] : index === 4 ? ['test', 'gpu'] : [],
  })),
  instances: [
    ...names.map((host, index) => ({
      name: `vm${index}`,
      host,
      vcpus: index + 1,
      projectId: `project${index % 2}`,
      metadata: { tier: index < 2 ? 'Gold' : 'basic', optimize: 'true' },
    })),
    { name: 'homeless' },
  ],
  aggregates: [{ name: 'empty' }],
});

function scoped(...compute: JsonObject[]) {
  const { snapshot: result, report } = applyScope(snapshot, [{ compute }]);
  const excluded = result.instanceInfo.filter(
    (_, row) => (result.instances.flags[row] as number) & instanceFlag.excluded,
  );
  return {
    hosts: result.hostInfo.map(({ hostname }) => hostname),
    instances: result.instanceInfo.map(({ name }) => name),
    excluded: excluded.map(({ name }) => name),
    report,
    result,
  };
}

describe('audit scope', () => {
  it('leaves everything without rules', () => {
    expect(applyScope(snapshot, []).snapshot).toBe(snapshot);
    expect(applyScope(snapshot, [{ storage: [] }, { compute: [] }]).snapshot).toBe(snapshot);
  });

  it.each<[string, JsonObject[], string[]]>([
    ['zones', [{ availability_zones: [{ name: 'AZ1' }, { name: 'AZ3' }] }], ['host1', 'host3']],
    ['all zones', [{ availability_zones: [{ name: '*' }] }], names],
    ['an aggregate by name', [{ host_aggregates: [{ name: 'prod' }] }], ['host0', 'host1']],
    ['an aggregate by id', [{ host_aggregates: [{ id: 3 }] }], ['host4']],
    ['aggregates by id and name', [{ host_aggregates: [{ id: 3 }, { name: 'prod' }] }], ['host0', 'host1', 'host4']],
    ['hosts of any aggregate', [{ host_aggregates: [{ id: '*' }] }], ['host0', 'host1', 'host4']],
    [
      'zones united with aggregates',
      [{ host_aggregates: [{ name: 'prod' }] }, { availability_zones: [{ name: 'AZ3' }] }],
      ['host0', 'host1', 'host3'],
    ],
    ['an aggregate without hosts: nothing', [{ host_aggregates: [{ name: 'empty' }] }], []],
    ['an unknown zone: nothing', [{ availability_zones: [{ name: 'AZ9' }] }], []],
    [
      'all but some hosts',
      [{ exclude: [{ compute_nodes: [{ name: 'host1' }, { name: 'host2' }] }] }],
      ['host0', 'host3', 'host4'],
    ],
    ['all but an aggregate', [{ exclude: [{ host_aggregates: [{ name: 'prod' }] }] }], ['host2', 'host3', 'host4']],
    [
      'an excluded host outside the included zone',
      [{ availability_zones: [{ name: 'AZ1' }] }, { exclude: [{ compute_nodes: [{ name: 'host3' }] }] }],
      ['host1'],
    ],
  ])('keeps %s', (_, rules, expected) => {
    const { hosts, instances, result } = scoped(...rules);
    expect(hosts).toEqual(expected);
    expect(instances).toEqual([...expected.map((name) => name.replace('host', 'vm')), 'homeless']);
    expect([...result.hosts.vcpus]).toEqual(expected.map((name) => Number(name.slice(4)) + 1));
    expect([...result.instances.host]).toEqual([...expected.map((_, row) => row), -1]);
  });

  it.each<[string, JsonObject, string[]]>([
    ['instances', { instances: [{ uuid: testUuid('vm3') }] }, ['vm3']],
    ['projects', { projects: [{ uuid: 'project1' }] }, ['vm1', 'vm3']],
    ['metadata, whatever the case', { instance_metadata: [{ tier: 'gold' }] }, ['vm0', 'vm1']],
    ['metadata with all keys and all values', { instance_metadata: [{ tier: 'gold' }, { optimize: 'false' }] }, []],
    ['metadata that is a boolean', { instance_metadata: [{ optimize: true }] }, ['vm0', 'vm1', 'vm2', 'vm3', 'vm4']],
  ])('marks %s and keeps their room taken', (_, rule, expected) => {
    const { hosts, excluded, report } = scoped({ exclude: [rule] });
    expect(excluded).toEqual(expected);
    expect(hosts).toEqual(names);
    expect(report.instancesExcluded).toBe(expected.length);
  });

  it('does not change the given snapshot', () => {
    scoped({ exclude: [{ projects: [{ uuid: 'project0' }] }] });
    expect([...snapshot.instances.flags].every((flags) => flags === 0)).toBe(true);
  });

  it('reports unknown names', () => {
    const { report } = scoped({
      exclude: [{ compute_nodes: [{ name: 'host9' }], instances: [{ uuid: 'nobody' }], host_aggregates: [{ id: 99 }] }],
    });
    expect(report.unknown.sort()).toEqual(['aggregate 99', 'compute node host9', 'instance nobody']);
  });

  it.each<[string, JsonObject]>([
    ['host_aggregates', { host_aggregates: [{ id: '*' }, { id: 1 }] }],
    ['availability_zones', { availability_zones: [{ name: 'AZ1' }, { name: '*' }] }],
  ])('refuses a wildcard beside others in %s', (field, rule) => {
    expect(() => scoped(rule)).toThrow(`${field}: the wildcard * must be the only entry of its list`);
    expect(() => scoped(rule)).toThrow(InvalidInputError);
  });

  it('refuses rules of another shape', () => {
    expect(() => scoped({ exclude: 'host1' })).toThrow('exclude: must be a list');
    expect(() => scoped({ availability_zones: ['AZ1'] })).toThrow('must be a list of objects');
  });
});

describe('audit scope, on random rules', () => {
  const zones = fc.subarray([0, 1, 2, 3, 4]);
  it('keeps exactly the included hosts that are not excluded, with their own numbers', () => {
    fc.assert(
      fc.property(zones, zones, fc.boolean(), (included, excluded, limited) => {
        const { hosts, result } = scoped(
          ...(limited ? [{ availability_zones: included.map((index) => ({ name: `AZ${index}` })) }] : []),
          { exclude: [{ compute_nodes: excluded.map((index) => ({ name: `host${index}` })) }] },
        );
        const base = limited ? included : [0, 1, 2, 3, 4];
        const expected = base.filter((index) => !excluded.includes(index)).map((index) => `host${index}`);
        expect(hosts).toEqual(expected);
        result.instances.host.forEach((host, row) => {
          if (host >= 0) expect(`host${result.instanceInfo[row]?.name.slice(2)}`).toBe(result.hostInfo[host]?.hostname);
        });
      }),
    );
  });
});

const inZones = (...names: string[]) => [{ compute: [{ availability_zones: names.map((name) => ({ name })) }] }];
const inAggregate = [{ compute: [{ host_aggregates: [{ name: 'fast' }] }] }];

it.each([
  ['the whole cloud and a zone', [], inZones('a'), true, 1],
  ['a common zone', inZones('a', 'b'), inZones('b', 'c'), true, 1],
  ['different zones', inZones('a'), inZones('b'), false, 0],
  ['a zone and all zones', inZones('a'), inZones('*'), true, 1],
  ['a zone and an aggregate', inZones('a'), inAggregate, true, 0],
])('compares scopes: %s', (_, one, other, mayOverlap, common) => {
  const cloud = createTestWorld({
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
    expect(hostsInBoth(cloud, first, second)).toBe(common);
  }
});
