import { describe, expect, it } from 'vitest';
import type { AlertSelection } from '#libs/domain';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { limitToAlerts } from './alert-limit.ts';
import { instanceFlag } from './compute-snapshot.ts';
import { applyScope } from './scope.ts';

const names = ['host0', 'host1', 'host2', 'host3'];
const snapshot = createTestWorld({
  hosts: names.map((hostname, index) => ({
    hostname,
    zone: index < 2 ? 'left' : 'right',
    aggregates: index % 2 === 0 ? ['even'] : [],
  })),
  instances: [...names.map((host, index) => ({ name: `vm${index}`, host })), { name: 'homeless' }],
});

function limited(...scope: AlertSelection[]) {
  const { snapshot: result, report } = limitToAlerts(snapshot, scope);
  const movable = result.instanceInfo.filter(
    (_, row) => ((result.instances.flags[row] as number) & instanceFlag.excluded) === 0,
  );
  return { hosts: result.hostInfo.map(({ hostname }) => hostname), movable: movable.map(({ name }) => name), report };
}

describe('the limit of a run by alerts', () => {
  it.each<[string, AlertSelection[], string[], string[]]>([
    ['a host', [{ host: 'host1' }], names, ['vm1']],
    ['two hosts', [{ host: 'host1' }, { host: 'host3' }], names, ['vm1', 'vm3']],
    ['an instance by name', [{ instance: 'vm2' }], names, ['vm2']],
    ['an instance by uuid', [{ instance: snapshot.instanceInfo[0]?.uuid ?? '' }], names, ['vm0']],
    ['a zone', [{ zone: 'left' }], ['host0', 'host1'], ['vm0', 'vm1']],
    ['an aggregate', [{ aggregate: 'even' }], ['host0', 'host2'], ['vm0', 'vm2']],
    ['a host in a zone', [{ host: 'host2', zone: 'right' }], ['host2', 'host3'], ['vm2']],
    ['a host in another zone', [{ host: 'host2', zone: 'left' }], ['host0', 'host1'], []],
    ['a zone and an aggregate', [{ zone: 'right', aggregate: 'even' }], ['host2'], ['vm2']],
    ['a zone, or a host anywhere', [{ zone: 'left' }, { host: 'host3' }], names, ['vm0', 'vm1', 'vm3']],
    ['nothing', [], [], []],
  ])('selects %s', (_, scope, hosts, movable) => {
    expect(limited(...scope)).toMatchObject({ hosts, movable, report: { selected: movable.length, unknown: [] } });
  });

  it('reports names that the cloud does not have, each once', () => {
    const { report, movable } = limited({ host: 'x', zone: 'left' }, { host: 'x' }, { aggregate: 'odd' });
    expect(report.unknown).toEqual(['host x', 'aggregate odd']);
    expect(movable).toEqual([]);
  });

  it('keeps the given snapshot unchanged, and adds hosts outside the scope', () => {
    const flags = [...snapshot.instances.flags];
    const { snapshot: left } = applyScope(snapshot, [{ compute: [{ availability_zones: [{ name: 'left' }] }] }]);
    expect(limitToAlerts(left, [{ aggregate: 'even' }]).snapshot.hostsOutOfScope).toBe(3);
    limited({ host: 'host1' });
    expect([...snapshot.instances.flags]).toEqual(flags);
  });
});
