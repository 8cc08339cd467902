import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { actionFacts } from '#libs/domain';
import { createActionRegistry } from './action-registry.ts';
import { actionCatalogue } from './catalogue.ts';

const registry = createActionRegistry(actionCatalogue);
const id = '11111111-2222-4333-8444-55555555ABCD';
const move = { migration_type: 'live', resource_id: id, source_node: 'a' };

it('lists exactly the folders', () => {
  const entries = readdirSync(import.meta.dirname, { withFileTypes: true });
  // `change` is the code that the types share.
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'change').map(({ name }) => name);
  expect(folders.length).toBeGreaterThan(0);
  expect(actionCatalogue.map((plugin) => plugin.name).sort()).toEqual(folders.sort());
});

it('has the facts of each type, and of no other', () => {
  expect(Object.keys(actionFacts).sort()).toEqual(actionCatalogue.map((plugin) => plugin.name).sort());
});

it('refuses a name that is taken, and unknown names', () => {
  const [first] = actionCatalogue;
  expect(() => createActionRegistry([...actionCatalogue, ...(first ? [first] : [])])).toThrow(/registered twice/);
  expect(() => registry.get('teleport')).toThrow('LoadingError');
});

describe('input schemas', () => {
  it.each([
    ['migrate', move],
    ['migrate', { ...move, destination_node: null, resource_name: 'vm' }],
    ['evacuate', { resource_id: id, source_node: 'a', fenced_by: 'operator', destination_node: null }],
    ['nop', { message: null }],
    ['sleep', { duration: 0.5 }],
    ['change_nova_service_state', { resource_id: '', state: 'down', disabled_reason: 'watcher_x' }],
    ['change_node_power_state', { resource_id: 'rack-1', resource_name: 'host', state: 'off' }],
    ['resize', { resource_id: id, flavor: 'm1.large' }],
    ['stop', { resource_id: id }],
    ['delete', { resource_id: id }],
    ['shelve', { resource_id: id }],
    ['volume_migrate', { resource_id: id, migration_type: 'swap', destination_node: null, destination_type: null }],
  ])('%s accepts %o', (type, input) => {
    expect(() => registry.validate(type, input)).not.toThrow();
  });

  it.each([
    ['migrate', { ...move, destination_node: 5 }, /destination_node must be string,null/],
    ['migrate', { ...move, source_node: '' }, /source_node/],
    ['migrate', { ...move, resource_id: 'vm-1' }, /resource_id must match pattern/],
    ['migrate', { ...move, extra: 1 }, /additional properties \(extra\)/],
    ['evacuate', { resource_id: id, source_node: 'a' }, /required property 'fenced_by'/],
    ['evacuate', { resource_id: id, source_node: 'a', fenced_by: 'silence' }, /fenced_by must be equal to one of/],
    ['nop', {}, /ValidationError: parameters must have required property 'message'/],
    ['sleep', { duration: -1 }, /duration must be >= 0/],
    ['change_nova_service_state', { resource_id: 'x', state: 'asleep' }, /state must be equal to one of/],
    ['change_node_power_state', { resource_id: 'x', state: 'reboot' }, /state must be equal to one of/],
    ['resize', { resource_id: id, flavor: 'a', resource_name: 'vm' }, /additional properties \(resource_name\)/],
    ['stop', { resource_id: 'vm-1' }, /resource_id must match pattern/],
    ['delete', {}, /required property 'resource_id'/],
    ['shelve', { resource_id: id, force: true }, /additional properties \(force\)/],
    ['volume_migrate', { resource_id: id, migration_type: 'copy' }, /migration_type must be equal to one of/],
    ['volume_migrate', { resource_id: id, migration_type: 'migrate', destination_node: 5 }, /must be string,null/],
  ])('%s refuses %o', (type, input, reason) => {
    expect(() => registry.validate(type, input)).toThrow(reason);
  });
});
