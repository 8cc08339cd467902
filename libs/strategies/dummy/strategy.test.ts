import { describe, expect, it } from 'vitest';
import { assertWellBehaved, createTestWorld, runStrategy } from '#libs/plugin-kit/testing';
import { dummyStrategy } from './strategy.ts';

const snapshot = createTestWorld({ hosts: [{ hostname: 'a' }] });

describe('dummy', () => {
  it('says hello, says para2 and sleeps', async () => {
    const { actions, indicators } = await runStrategy(dummyStrategy, { snapshot });
    expect(actions.map(({ actionType, inputParameters }) => [actionType, inputParameters])).toEqual([
      ['nop', { message: 'hello World' }],
      ['nop', { message: 'hello' }],
      ['sleep', { duration: 3.2 }],
    ]);
    expect(indicators).toEqual({});
  });

  it('does not say the same thing twice', async () => {
    const parameters = { para1: 1, para2: 'hello World' };
    const { actions } = await runStrategy(dummyStrategy, { snapshot, parameters });
    expect(actions.map(({ actionType }) => actionType)).toEqual(['nop', 'sleep']);
  });

  it('keeps the promises of a strategy', async () => {
    await assertWellBehaved(dummyStrategy, { snapshot });
  });
});
