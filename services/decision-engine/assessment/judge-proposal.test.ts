import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { createTestWorld, type TestInstance, testUuid } from '#libs/plugin-kit/testing';
import { judgeProposal } from './judge-proposal.ts';

const hosts = [
  { hostname: 'a', vcpus: 4 },
  { hostname: 'b', vcpus: 4 },
  { hostname: 'c', vcpus: 4, zone: 'az2' },
  { hostname: 'off', status: 'disabled' as const },
];

function judge(instances: TestInstance[], actions: { actionType: string; inputParameters: JsonObject }[]) {
  const groups = [{ name: 'apart', policy: 'anti-affinity' as const }];
  return judgeProposal({ snapshot: createTestWorld({ hosts, instances, groups }) }, actions);
}

const migrate = (name: string, from: string, to: string) => ({
  actionType: 'migrate',
  inputParameters: {
    ...{ migration_type: 'live', resource_id: testUuid(name), resource_name: name },
    ...{ source_node: from, destination_node: to },
  },
});

describe('judgeProposal', () => {
  it.each<[string, Omit<TestInstance, 'name'>, string]>([
    ['zone', { host: 'a', pinnedZone: 'nova' }, 'c'],
    ['host-disabled', { host: 'a' }, 'off'],
    ['instance-locked', { host: 'a', locked: true }, 'b'],
    ['instance-excluded', { host: 'a', excluded: true }, 'b'],
    ['vcpu', { host: 'a', vcpus: 5 }, 'b'],
    ['anti-affinity', { host: 'a', group: 'apart' }, 'b'],
  ])('finds a move against %s', (kind, instance, to) => {
    const mate: TestInstance = { name: 'mate', host: 'b', group: 'apart' };
    const found = judge([{ name: 'vm', ...instance }, mate], [migrate('vm', 'a', to)]);
    expect(found).toMatchObject([{ kind, action: `migrate vm from a to ${to}` }]);
  });

  it('admits moves in any possible order, and exchanges', () => {
    const big = (name: string, host: string): TestInstance => ({ name, host, vcpus: 4 });
    const chain = [migrate('one', 'a', 'b'), migrate('two', 'b', 'c')];
    expect(judge([big('one', 'a'), big('two', 'b')], chain)).toEqual([]);
    const exchange = [migrate('one', 'a', 'b'), migrate('two', 'b', 'a')];
    expect(judge([big('one', 'a'), big('two', 'b')], exchange)).toEqual([]);
    expect(judge([big('one', 'a'), big('two', 'b')], [migrate('one', 'a', 'b')])).toMatchObject([{ kind: 'vcpu' }]);
  });

  it('finds names out of the scope, and a host that is switched off in use', () => {
    const instances = [{ name: 'vm', host: 'a' }];
    const off = {
      actionType: 'change_node_power_state',
      inputParameters: { state: 'off', resource_name: 'a', resource_id: testUuid('node') },
    };
    const kinds = (actions: Parameters<typeof judge>[1]) => judge(instances, actions).map(({ kind }) => kind);
    expect(kinds([migrate('other', 'a', 'b')])).toEqual(['unknown-instance']);
    expect(kinds([migrate('vm', 'a', 'z')])).toEqual(['unknown-host']);
    expect(kinds([migrate('vm', 'b', 'c')])).toEqual(['wrong-source']);
    expect(kinds([off])).toEqual(['switched-off-in-use']);
    expect(kinds([off, migrate('vm', 'a', 'b')])).toEqual([]);
  });
});
