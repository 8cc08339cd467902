import { describe, expect, it } from 'vitest';
import { type StepAction, wholeSteps } from './whole-steps.ts';

const base = { parents: [] as string[], state: 'PENDING', endReason: null } as const;

function disable(host: string): StepAction {
  const inputParameters = { resource_id: `id-${host}`, resource_name: host, state: 'disabled' };
  return { ...base, parents: [], uuid: `disable-${host}`, actionType: 'change_nova_service_state', inputParameters };
}

function move(name: string, from: string, to: string, more: Partial<StepAction> = {}): StepAction {
  const inputParameters = { resource_id: name, source_node: from, destination_node: to, migration_type: 'live' };
  return { ...base, parents: [], uuid: `${name}-${from}`, actionType: 'migrate', inputParameters, ...more };
}

function powerOff(host: string, parents: string[] = []): StepAction {
  const inputParameters = { resource_id: `node-${host}`, resource_name: host, state: 'off' };
  return { ...base, uuid: `off-${host}`, actionType: 'change_node_power_state', inputParameters, parents };
}

const cutOf = (actions: StepAction[], maxMigrations: number | null, byOrder = false) => [
  ...wholeSteps(actions, { maxMigrations, byOrder }).cut.keys(),
];

/** Two hosts to empty: `a` by three migrations, `b` by one. */
const consolidation = [
  disable('a'),
  disable('b'),
  move('one', 'a', 'c'),
  move('two', 'a', 'c'),
  move('three', 'a', 'c'),
  move('four', 'b', 'c'),
  powerOff('a'),
  powerOff('b'),
];

describe('the steps of a plan', () => {
  it('each migration of a plan that empties no host is a step', () => {
    expect(cutOf([move('one', 'a', 'b'), move('two', 'a', 'b'), move('three', 'b', 'c')], 2)).toEqual(['three-b']);
  });

  it('a host is disabled only when all migrations that empty it fit, and powered off only then', () => {
    const ofA = ['disable-a', 'one-a', 'two-a', 'three-a', 'off-a'];
    expect(cutOf(consolidation, 1)).toEqual(ofA);
    expect(cutOf(consolidation, 2)).toEqual(ofA);
    expect(cutOf(consolidation, 3)).toEqual(['disable-b', 'four-b', 'off-b']);
    expect(cutOf(consolidation, 4)).toEqual([]);
    expect(cutOf(consolidation, null)).toEqual([]);
  });

  it('the smallest step has its number of migrations and its hosts', () => {
    const onlyA = consolidation.filter(({ uuid }) => !['disable-b', 'four-b', 'off-b'].includes(uuid));
    expect(wholeSteps(onlyA, { maxMigrations: 1, byOrder: false })).toMatchObject({
      migrations: { planned: 3, allowed: 0 },
      smallest: { migrations: 3, hosts: ['a'] },
    });
  });

  it('a step comes with the migrations that make room for it', () => {
    const swap = [move('big', 'b', 'c'), disable('a'), move('one', 'a', 'b', { parents: ['big-b'] })];
    expect(cutOf(swap, 1)).toEqual(['disable-a', 'one-a']);
    const late = [disable('a'), move('one', 'a', 'b', { parents: ['big-b'] }), move('big', 'b', 'c')];
    expect(cutOf(late, 1)).toEqual(['disable-a', 'one-a']);
    expect(cutOf(late, 2)).toEqual([]);
  });

  it('both migrations of an instance that waits on a third host are one step', () => {
    const detour = [move('one', 'a', 'c'), move('one', 'c', 'b', { parents: ['one-a'] }), move('two', 'b', 'a')];
    expect(cutOf(detour, 1)).toEqual(['one-a', 'one-c']);
  });

  it('an action that waits for a cut one is cut, but a service is enabled in any case', () => {
    const volume: StepAction = { ...powerOff('x', ['one-a']), uuid: 'volume', actionType: 'volume_migrate' };
    const enable = { ...disable('c'), uuid: 'enable-c', parents: ['one-a'] };
    enable.inputParameters = { ...enable.inputParameters, state: 'enabled' };
    expect(cutOf([...consolidation, volume, enable], 1)).toContain('volume');
    expect(cutOf([...consolidation, volume, enable], 1)).not.toContain('enable-c');
  });

  it('a migration that people skip takes its step with it, unless an operator ordered the plan', () => {
    const skipped = consolidation.map((action) =>
      action.uuid === 'two-a' ? { ...action, state: 'SKIPPED' as const } : action,
    );
    expect(cutOf(skipped, null)).toEqual(['disable-a', 'one-a', 'two-a', 'three-a', 'off-a']);
    expect(cutOf(skipped, null, true)).toEqual([]);
    const stale = skipped.map((action) =>
      action.uuid === 'two-a' ? { ...action, endReason: 'stale' as const } : action,
    );
    expect(cutOf(stale, null)).toEqual([]);
  });

  it('a rollback that disables a host again takes whole steps too', () => {
    const turn = (action: StepAction): StepAction => ({
      ...action,
      actionType: 'revert',
      inputParameters: { action_type: action.actionType, input_parameters: action.inputParameters },
    });
    const enable = disable('a');
    enable.inputParameters = { ...enable.inputParameters, state: 'enabled' };
    const undo = [move('one', 'b', 'a'), move('two', 'b', 'a'), enable].map(turn);
    expect(cutOf(undo, 1)).toEqual(['one-b', 'two-b', 'disable-a']);
  });
});
