import { describe, expect, it } from 'vitest';
import { type AccessRule, literalSegment, toKeystoneRules } from './access-rules.ts';

const identity = (endpoints: Record<string, string>, types: Record<string, string[]> = {}) => ({
  endpoint: async (type: string) => endpoints[type] ?? null,
  serviceTypes: async (type: string) => types[type] ?? [type],
});

const move: AccessRule = { service: 'compute', method: 'POST', path: '/servers/a/action' };

describe('access rules for Keystone', () => {
  it('have the whole path of the URL, and allow the version document', async () => {
    expect(await toKeystoneRules(identity({ compute: 'http://nova:8774/v2.1' }), [move, move])).toEqual([
      { service: 'compute', method: 'GET', path: '/v2.1/' },
      { service: 'compute', method: 'POST', path: '/v2.1/servers/a/action' },
    ]);
  });

  it('are given with and without the part of the path that a proxy may remove', async () => {
    const rules = await toKeystoneRules(identity({ compute: 'https://cloud/compute/v2.1' }), [move]);
    expect(rules.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/compute/v2.1/servers/a/action',
      '/v2.1/servers/a/action',
    ]);
  });

  it('name each type under which the catalogue has the service', async () => {
    const rule: AccessRule = { service: 'block-storage', method: 'GET', path: '/types' };
    const cinder = identity({ 'block-storage': 'http://c/v3/p' }, { 'block-storage': ['block-storage', 'volumev3'] });
    const rules = await toKeystoneRules(cinder, [rule]);
    expect(rules.filter(({ path }) => path === '/v3/p/types').map(({ service }) => service)).toEqual([
      'block-storage',
      'volumev3',
    ]);
  });

  it('leave out a service that the cloud lacks', async () => {
    expect(await toKeystoneRules(identity({}), [move])).toEqual([]);
  });

  it.each(['*', '**', 'a/b', 'a.b', '{id}', ''])('do not take the id %j, which would match others', (id) => {
    expect(() => literalSegment(id)).toThrow('cannot be part of an access rule');
  });
});
