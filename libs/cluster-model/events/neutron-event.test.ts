import { expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { applyPortNeeds, readNeutronEvent } from './neutron-event.ts';

/** A port as Neutron 29 returns it to an administrator, with the fields that count. */
const port = (change: object = {}) => ({
  id: 'p',
  device_id: 's',
  device_owner: 'compute:nova',
  'binding:vnic_type': 'normal',
  resource_request: null,
  revision_number: 3,
  ...change,
});
const read = (event_type: string, payload: unknown) => readNeutronEvent({ event_type, payload });
const usual = { id: 'p', serverUuid: 's', revision: 3, vnicType: 'normal', hasResourceRequest: false };

it.each<[string, object, object]>([
  ['a server', port(), usual],
  ['SR-IOV', port({ 'binding:vnic_type': 'direct' }), { ...usual, vnicType: 'direct' }],
  ['bandwidth', port({ resource_request: { request_groups: [] } }), { ...usual, hasResourceRequest: true }],
  ['a router', port({ device_owner: 'network:router_interface' }), { ...usual, serverUuid: null }],
  ['no device', port({ device_id: '', device_owner: '' }), { ...usual, serverUuid: null }],
  [
    'a request without the rights to see more',
    { id: 'p', device_id: 's', device_owner: 'compute:nova', revision_number: 3 },
    { ...usual, vnicType: null, hasResourceRequest: null },
  ],
])('reads a port of %s', (_, payload, expected) => {
  expect(read('port.update.end', { port: payload })).toEqual({
    eventType: 'port.update.end',
    ports: [expected],
    deleted: null,
  });
});

it('reads all ports of one request, and the id of a deleted one', () => {
  const many = read('port.create.end', { ports: [port(), port({ id: 'q' })] });
  expect(many?.ports.map(({ id }) => id)).toEqual(['p', 'q']);
  expect(read('port.delete.end', { port_id: 'p' })).toMatchObject({ ports: [], deleted: 'p' });
});

it.each<[string, unknown]>([
  ['port.create.start', { port: port() }],
  ['network.update.end', { network: port() }],
  ['port.update.end', {}],
  ['port.update.end', { port: 'p' }],
  ['port.delete.end', { id: 'p' }],
  ['port.delete.end', null],
])('%s with %j is left alone', (eventType, payload) => {
  expect(read(eventType, payload)).toBeNull();
});

it('needs are given to known instances, and taken again', () => {
  const snapshot = createTestWorld({ hosts: [{ hostname: 'a' }], instances: [{ name: 'web', host: 'a' }] });
  const uuid = snapshot.instanceInfo[0]?.uuid ?? '';
  expect(applyPortNeeds(snapshot, new Map([['unknown', 'device' as const]]))).toBe(snapshot);
  const restricted = applyPortNeeds(snapshot, new Map([[uuid, 'device' as const]]));
  expect(restricted.instanceInfo).toMatchObject([{ ports: 'device' }]);
  const free = applyPortNeeds(restricted, new Map([[uuid, undefined]]));
  expect(free.instanceInfo).toEqual(snapshot.instanceInfo);
});
