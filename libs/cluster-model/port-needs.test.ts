import { expect, it } from 'vitest';
import type { PortNeed } from './compute-snapshot.ts';
import { portNeeds } from './port-needs.ts';

const port = (vnicType: string | null, hasResourceRequest = false) => ({
  serverUuid: 's',
  vnicType,
  hasResourceRequest,
});

it.each<[string, ReturnType<typeof port>[], PortNeed | undefined]>([
  ['no port', [], undefined],
  ['a port for a software switch', [port('normal')], undefined],
  ['a port of an unknown kind', [port(null)], undefined],
  ['an accelerator', [port('accelerator-direct')], 'accelerator'],
  ['a physical accelerator', [port('normal'), port('accelerator-direct-physical')], 'accelerator'],
  ['SR-IOV', [port('direct')], 'device'],
  ['a whole device', [port('direct-physical')], 'device'],
  ['macvtap', [port('macvtap')], 'device'],
  ['vDPA', [port('vdpa')], 'device'],
  ['guaranteed bandwidth', [port('normal', true)], 'resources'],
  ['guaranteed bandwidth of an unknown kind', [port(null, true)], 'resources'],
  ['SR-IOV with guaranteed bandwidth', [port('direct', true)], 'device'],
  ['several kinds', [port('normal', true), port('direct'), port('accelerator-direct'), port('vdpa')], 'accelerator'],
])('of %s', (_, ports, need) => {
  expect(portNeeds(ports).get('s')).toBe(need);
});

it('are of each server alone', () => {
  const needs = portNeeds([port('direct'), { ...port('normal', true), serverUuid: 'other' }]);
  expect(Object.fromEntries(needs)).toEqual({ s: 'device', other: 'resources' });
});
