import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComputeSnapshot, WhatIf } from '#libs/cluster-model';
import type { ProposedAction, StrategyPlugin } from '#libs/plugin-kit';
import {
  applyActions,
  createTestWorld,
  runStrategy,
  type TestHost,
  type TestInstance,
  type TestWorld,
  testUuid,
} from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '../../catalogue.ts';

const consolidators: [string, object][] = [
  ['basic', {}],
  ['vm_workload_consolidation', {}],
  ['node_resource_consolidation', { host_choice: 'specify' }],
];
const metrics = { instance_cpu_usage: 5, host_cpu_usage: 5 };

function run(name: string, snapshot: ComputeSnapshot, parameters: object) {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
  const baremetal = {
    nodes: snapshot.hostInfo.map(({ uuid, hostname }) => ({
      uuid: testUuid(`node ${hostname}`),
      name: '',
      power: 'on' as const,
      powerState: null,
      maintenance: false,
      maintenanceReason: null,
      computeNodeUuid: uuid,
    })),
    takenAtMs: 0,
    complete: true,
    gaps: [],
  };
  return runStrategy(strategy, { snapshot, baremetal, metrics, parameters });
}

/** Hosts that take instances after the plan. Hosts that node_resource_consolidation empties do not count. */
function inUse(after: WhatIf, actions: readonly ProposedAction[]): string[] {
  const emptied = new Set(
    actions.flatMap(({ actionType, inputParameters: { source_node: host } }) => (actionType === 'migrate' ? host : [])),
  );
  return after.snapshot.hostInfo.flatMap(({ hostname }, row) =>
    after.enabled[row] === 1 && (after.instancesOn(row).length > 0 || !emptied.has(hostname)) ? hostname : [],
  );
}

/** Whether the instances of every host find room on the others of the list, the largest first. */
function standsFailure(after: WhatIf, names: string[]): boolean {
  const rows = names.map((name) => after.hostRow(name) as number);
  return rows.every((failed) => {
    const free = rows.filter((row) => row !== failed).map((row) => ({ ...after.free(row) }));
    const needs = after.instancesOn(failed).map(after.needs);
    needs.sort((a, b) => b.vcpus - a.vcpus);
    return needs.every((need) => {
      const host = free.find(({ vcpus, memory }) => vcpus >= need.vcpus && memory >= need.memory);
      if (host === undefined) return false;
      host.vcpus -= need.vcpus;
      host.memory -= need.memory;
      return true;
    });
  });
}

/** Six hosts of two zones. Instances of one may go to the other. */
const zones: TestWorld = {
  hosts: ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map((hostname) => ({ hostname, zone: hostname.slice(0, 1) })),
  instances: ['a1', 'a2', 'a3', 'b1'].map((host, row) => ({ name: `i${row}`, host, vcpus: 2 })),
};

describe.each(consolidators)('%s', (name, parameters) => {
  it('leaves every zone room for the failure of a host, and names the hosts', async () => {
    const snapshot = createTestWorld(zones);
    const { actions, report } = await run(name, snapshot, parameters);
    const after = applyActions(snapshot, actions);
    const left = inUse(after, actions);
    for (const zone of ['a', 'b']) {
      const hosts = left.filter((host) => host.startsWith(zone));
      expect(hosts.length, zone).toBeGreaterThan(0);
      expect(standsFailure(after, hosts), zone).toBe(true);
    }
    expect(report.notes.join('; ')).toMatch(
      /[ab]\d \(zone [ab]\).* stays? in use as the reserve for the failure of 1 host/,
    );
    expect(report.blocked).toContainEqual(expect.objectContaining({ constraint: 'failure-reserve' }));
  });

  it('empties a zone when no reserve is configured', async () => {
    const snapshot = createTestWorld(zones);
    const { actions } = await run(name, snapshot, { ...parameters, failure_reserve: 0 });
    const left = inUse(applyActions(snapshot, actions), actions);
    expect(left.filter((host) => host !== 'b2' && host !== 'b3')).toHaveLength(1);
  });

  it.each<[string, Partial<TestWorld>, Partial<TestHost>]>([
    [
      'an aggregate of a tenant',
      { aggregates: [{ name: 'own', metadata: { filter_tenant_id: 'x' } }] },
      { aggregates: ['own'] },
    ],
    ['an aggregate of a flavor', { aggregates: [{ name: 'own', metadata: { ssd: 'true' } }] }, { aggregates: ['own'] }],
    ['a cell', {}, { cell: 'own' }],
  ])('keeps %s in use', async (kind, world, membership) => {
    const isFlavors = kind === 'an aggregate of a flavor';
    const own = ['x1', 'x2', 'x3'];
    const snapshot = createTestWorld({
      ...world,
      hosts: [...own, 'y1', 'y2', 'y3'].map((hostname) => ({
        hostname,
        ...(hostname.startsWith('x') ? membership : membership.cell === undefined ? {} : { cell: 'other' }),
      })),
      instances: own.map((host, row): TestInstance => {
        const flavorExtraSpecs = { 'aggregate_instance_extra_specs:ssd': 'true' };
        return { name: `i${row}`, host, projectId: 'x', vcpus: 2, ...(isFlavors && { flavorExtraSpecs }) };
      }),
    });
    const { actions } = await run(name, snapshot, parameters);
    const after = applyActions(snapshot, actions);
    const left = inUse(after, actions).filter((host) => host.startsWith('x'));
    expect(left.length).toBeGreaterThan(1);
    expect(standsFailure(after, left)).toBe(true);
  });

  it('keeps one host of an aggregate whose metadata no instance names, such as a rack', async () => {
    const racks = ['x', 'y'].map((rack) => ({ name: rack, metadata: { rack } }));
    const hosts = racks.flatMap(({ name: rack }) =>
      [1, 2, 3].map((number) => ({ hostname: `${rack}${number}`, aggregates: [rack] })),
    );
    const instances = hosts.map(({ hostname }, row): TestInstance => ({ name: `i${row}`, host: hostname, vcpus: 2 }));
    const snapshot = createTestWorld({ aggregates: racks, hosts, instances });
    const { actions } = await run(name, snapshot, parameters);
    const after = applyActions(snapshot, actions);
    expect(inUse(after, actions)).toHaveLength(2);
  });

  it('never takes room that a domain had for a failure, on random worlds', async () => {
    const worlds = fc.record({
      hosts: fc.array(fc.record({ vcpus: fc.integer({ min: 4, max: 16 }), zone: fc.constantFrom('a', 'b') }), {
        minLength: 2,
        maxLength: 8,
      }),
      instances: fc.array(fc.record({ vcpus: fc.constantFrom(1, 2, 4), on: fc.nat() }), { maxLength: 20 }),
      order: fc.constantFrom('watcher', 'fewest_moves'),
    });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ hosts, instances, order }) => {
        const snapshot = createTestWorld({
          hosts: hosts.map(({ vcpus, zone }, row) => ({ hostname: `h${row}`, vcpus, zone })),
          instances: instances.map(({ vcpus, on }, row) => ({ name: `i${row}`, vcpus, host: `h${on % hosts.length}` })),
        });
        const own = name === 'vm_workload_consolidation' ? {} : { host_order: order };
        const { actions } = await run(name, snapshot, { ...parameters, ...own });
        const before = applyActions(snapshot, []);
        const after = applyActions(snapshot, actions);
        const left = inUse(after, actions);
        for (const zone of ['a', 'b']) {
          const names = hosts.flatMap((host, row) => (host.zone === zone ? `h${row}` : []));
          if (names.length === 0) continue;
          const now = left.filter((host) => names.includes(host));
          expect(now.length, 'the zone is in use').toBeGreaterThan(0);
          if (standsFailure(before, names)) expect(standsFailure(after, now), zone).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});

it('saving_energy leaves a host of every zone on', async () => {
  const snapshot = createTestWorld({ hosts: zones.hosts });
  const { actions, report } = await run('saving_energy', snapshot, { min_free_hosts_num: 0, free_used_percent: 0 });
  const off = actions.flatMap(({ inputParameters: { state, resource_name } }) =>
    state === 'off' ? String(resource_name) : [],
  );
  expect(off).toHaveLength(4);
  for (const zone of ['a', 'b']) expect(off.filter((host) => host.startsWith(zone))).toHaveLength(2);
  expect(report.notes.join('; ')).toContain('(zone a)');
});
