import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '#libs/domain';
import { assertWellBehaved, createTestWorld, runStrategy, testUuid } from '#libs/plugin-kit/testing';
import { actuatorStrategy } from './strategy.ts';

const snapshot = createTestWorld({ hosts: [{ hostname: 'a' }] });
const run = (actions: object[]) => runStrategy(actuatorStrategy, { snapshot, parameters: { actions: actions as [] } });

describe('actuator', () => {
  it('passes one nop on', async () => {
    const { actions, indicators } = await run([{ action_type: 'nop', input_parameters: { message: 'hi' } }]);
    expect(actions).toMatchObject([{ actionType: 'nop', inputParameters: { message: 'hi' } }]);
    expect(indicators).toEqual({});
  });

  it('puts resource_id into the input parameters and keeps the order', async () => {
    const { actions } = await run([
      { action_type: 'stop', resource_id: testUuid('b'), input_parameters: {} },
      {
        action_type: 'migrate',
        resource_id: testUuid('a'),
        input_parameters: { migration_type: 'live', source_node: 'x' },
      },
    ]);
    expect(actions.map(({ inputParameters }) => inputParameters)).toEqual([
      { resource_id: testUuid('b') },
      { migration_type: 'live', source_node: 'x', resource_id: testUuid('a') },
    ]);
  });

  it('drops an action that equals an earlier one, regardless of the order of its keys', async () => {
    const { actions, report } = await run([
      { action_type: 'nop', input_parameters: { message: 'a', fail_execute: false } },
      { action_type: 'nop', input_parameters: { fail_execute: false, message: 'a' } },
      { action_type: 'nop', input_parameters: { message: 'b' } },
    ]);
    expect(actions.map(({ inputParameters }) => inputParameters.message)).toEqual(['a', 'b']);
    expect(report.notes).toEqual(['1 repeated action is left out']);
  });

  it('says why a plan is empty', async () => {
    const { report } = await run([]);
    expect(report.emptyBecause).toBe('the parameter actions is an empty list');
  });

  it.each([
    ['no actions', {}],
    ['an action without a type', { actions: [{ input_parameters: {} }] }],
    ['an action without input parameters', { actions: [{ action_type: 'nop' }] }],
    ['an unknown key', { actions: [{ action_type: 'nop', input_parameters: {}, weight: 1 }] }],
    ['resource_id by hand', { actions: [{ action_type: 'stop', input_parameters: { resource_id: 'a' } }] }],
  ])('refuses %s', async (_, parameters) => {
    await expect(runStrategy(actuatorStrategy, { snapshot, parameters })).rejects.toThrow(InvalidInputError);
  });

  it('keeps the promises of a strategy', async () => {
    await assertWellBehaved(actuatorStrategy, {
      snapshot,
      parameters: { actions: [{ action_type: 'nop', input_parameters: { message: null } }] },
    });
  });
});
