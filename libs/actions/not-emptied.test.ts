import { expect, it } from 'vitest';
import { notEmptied } from './not-emptied.ts';
import type { DoneAction } from './plan-rollback.ts';

const base = { parents: [], rollbackState: null, isUndone: false, journal: null } as const;

function service(host: string, to: string, state: DoneAction['state'] = 'SUCCEEDED'): DoneAction {
  const inputParameters = { resource_id: host, resource_name: host, state: to };
  const uuid = `${to}-${host}`;
  return { ...base, parents: [], uuid, actionType: 'change_nova_service_state', inputParameters, state };
}

function move(from: string, state: DoneAction['state']): DoneAction {
  const inputParameters = { resource_id: 'vm', source_node: from, destination_node: 'z', migration_type: 'live' };
  return { ...base, parents: [], uuid: `move-${from}-${state}`, actionType: 'migrate', inputParameters, state };
}

const found = (...actions: DoneAction[]) => notEmptied(actions).map(({ uuid }) => uuid);

it('a host that a plan disabled is not emptied until all its migrations have succeeded', () => {
  expect(found(service('a', 'disabled'), move('a', 'SUCCEEDED'), move('a', 'CANCELLED'))).toEqual(['disabled-a']);
  expect(found(service('a', 'disabled'), move('a', 'SUCCEEDED'), move('b', 'FAILED'))).toEqual([]);
});

it('a host that the plan was to enable counts as well, unless that has happened', () => {
  expect(found(service('a', 'disabled'), service('a', 'enabled', 'CANCELLED'))).toEqual(['disabled-a']);
  expect(found(service('a', 'disabled'), move('a', 'FAILED'), service('a', 'enabled'))).toEqual([]);
});

it('a failed change counts when it was requested, and one that was undone does not', () => {
  const failed = service('a', 'disabled', 'FAILED');
  const requested = { ...failed, journal: { intent: { forward: { status: 'disabled' } }, result: null } };
  expect(found(failed, move('a', 'CANCELLED'))).toEqual([]);
  expect(found(requested, move('a', 'CANCELLED'))).toEqual(['disabled-a']);
  expect(found({ ...requested, isUndone: true }, move('a', 'CANCELLED'))).toEqual([]);
});
