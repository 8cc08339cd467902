import { describe, expect, it } from 'vitest';
import type { BaremetalNodeInfo, BaremetalSnapshot } from '#libs/cluster-model';
import { assertWellBehaved, createTestWorld, runStrategy, type TestHost, testUuid } from '#libs/plugin-kit/testing';
import { ModelMissingError } from '../shared/report/errors.ts';
import { savingEnergyStrategy } from './strategy.ts';

interface Machine extends TestHost {
  /** Instances on the host. Default none. */
  servers?: number;
  excluded?: boolean;
  node?: Partial<BaremetalNodeInfo> | null;
}

const on = (hostname: string, changes: Partial<Machine> = {}): Machine => ({ hostname, ...changes });
const off = (hostname: string, changes: Partial<Machine> = {}): Machine => ({
  hostname,
  state: 'down',
  status: 'disabled',
  disabledReason: 'watcher_disabled',
  ...changes,
  node: { power: 'off', ...changes.node },
});

function cloud(machines: Machine[]) {
  const snapshot = createTestWorld({
    hosts: machines.map(({ servers: _, excluded: __, node: ___, ...host }) => host),
    instances: machines.flatMap(({ hostname, servers = 0, excluded = false }) =>
      Array.from({ length: servers }, (_, index) => ({ name: `${hostname}-${index}`, host: hostname, excluded })),
    ),
  });
  const nodes = machines.flatMap(({ hostname, node = {} }): BaremetalNodeInfo[] =>
    node === null
      ? []
      : [
          {
            uuid: testUuid(`node ${hostname}`),
            name: '',
            power: 'on',
            powerState: null,
            maintenance: false,
            maintenanceReason: null,
            computeNodeUuid: testUuid(hostname),
            ...node,
          },
        ],
  );
  const baremetal: BaremetalSnapshot = { nodes, takenAtMs: snapshot.takenAtMs, complete: true, gaps: [] };
  return { snapshot, baremetal };
}

async function run(machines: Machine[], parameters = {}) {
  const { actions, report } = await runStrategy(savingEnergyStrategy, { ...cloud(machines), parameters });
  const made = actions.map(
    ({ actionType, inputParameters: { state, resource_name } }) =>
      `${actionType === 'change_node_power_state' ? 'power' : 'service'} ${resource_name} ${state}`,
  );
  return { actions, made, report };
}

describe('saving_energy', () => {
  it.each<[string, Machine[], object, string[]]>([
    // Watcher switches a random one off and leaves its service enabled.
    ['2 free on, 1 asked', [on('a'), on('b')], {}, ['service a disabled', 'power a off']],
    ['2 free off, 1 asked', [off('a'), off('b')], {}, ['power a on', 'service a enabled']],
    ['2 with instances', [on('a', { servers: 1 }), on('b', { servers: 1 })], {}, []],
    ['as many as asked', [on('a'), on('b', { servers: 1 })], {}, []],
    [
      '25 % of 8 are 2',
      [...'abcdefgh'].map((name) => on(name, { servers: 1 })).concat(on('x'), off('y'), off('z')),
      { free_used_percent: 25 },
      ['power y on', 'service y enabled'],
    ],
    [
      'all free hosts may go off',
      [on('a'), on('b')],
      { free_used_percent: 0, min_free_hosts_num: 0, failure_reserve: 0 },
      ['service a disabled', 'power a off', 'service b disabled', 'power b off'],
    ],
    [
      'a host that is disabled goes off first, and the largest stays',
      [
        on('large', { vcpus: 64 }),
        on('small', { vcpus: 8 }),
        on('freed', { vcpus: 32, status: 'disabled', disabledReason: 'watcher_disabled' }),
      ],
      {},
      ['power freed off', 'service small disabled', 'power small off'],
    ],
    [
      'the largest is switched on first',
      [off('small', { vcpus: 8 }), off('large', { vcpus: 64 })],
      {},
      ['power large on', 'service large enabled'],
    ],
  ])('%s', async (_, machines, parameters, expected) => {
    const { made, report } = await run(machines, parameters);
    expect(made).toEqual(expected);
    expect(report.emptyBecause === null).toBe(expected.length > 0);
  });

  it.each<[string, Machine, string]>([
    ['a machine in maintenance', on('x', { node: { maintenance: true } }), 'node-maintenance'],
    ['a machine that changes its power', on('x', { node: { power: 'unknown' } }), 'power-changing'],
    ['a build in flight', on('x', { used: { vcpus: 2 } }), 'foreign-allocation'],
    [
      "somebody else's disabled host",
      on('x', { status: 'disabled', disabledReason: 'watcher_maintaining' }),
      'host-disabled',
    ],
    ['a host that is on but does not report', on('x', { state: 'down' }), 'host-down'],
    ['a machine off for repair', off('x', { disabledReason: 'new fan needed' }), 'host-disabled'],
  ])('leaves %s alone', async (_, machine, constraint) => {
    const { actions, report } = await run([machine], { min_free_hosts_num: machine.node?.power === 'off' ? 1 : 0 });
    expect(actions).toEqual([]);
    expect(report.blocked).toEqual([{ constraint, count: 1, examples: ['x'] }]);
  });

  it('a host with nothing but excluded instances is in use; a machine without a host in the model is ignored', async () => {
    const { made, report } = await run([
      on('a', { servers: 1, excluded: true }),
      on('b'),
      on('c', { node: { computeNodeUuid: testUuid('elsewhere') } }),
    ]);
    expect(made).toEqual([]);
    expect(report.notes).toContain('1 machine carries no compute node of this audit');
    expect(report.emptyBecause).toBe('1 free host is on, which is the requested reserve');
  });

  it('says the numbers', async () => {
    const { actions } = await run([on('a'), on('b'), on('c', { servers: 3 })]);
    expect(actions[1]?.reason.summary).toBe(
      'a has no instance; 2 such hosts are on, and 1 free hosts are to be on for 1 hosts with instances.',
    );
    expect(actions[1]?.inputParameters).toEqual({ state: 'off', resource_name: 'a', resource_id: testUuid('node a') });
  });

  it('needs the bare metal model, and keeps the promises of a strategy', async () => {
    const { snapshot, baremetal } = cloud([on('a'), on('b'), off('c')]);
    await expect(runStrategy(savingEnergyStrategy, { snapshot })).rejects.toThrow(ModelMissingError);
    await assertWellBehaved(savingEnergyStrategy, { snapshot, baremetal });
    const none = await runStrategy(savingEnergyStrategy, { snapshot, baremetal: { ...baremetal, nodes: [] } });
    expect(none.report.emptyBecause).toBe('bare metal has no machine');
  });
});
