import { describe, expect, it } from 'vitest';
import { assertWellBehaved, createTestWorld, runStrategy } from '#libs/plugin-kit/testing';
import { dummyWithResizeStrategy } from './strategy.ts';

const snapshot = createTestWorld({ hosts: [{ hostname: 'a' }] });

describe('dummy_with_resize', () => {
  it('proposes its six actions in order', async () => {
    const { actions, indicators } = await runStrategy(dummyWithResizeStrategy, { snapshot });
    const move = { migration_type: 'live', source_node: 'compute2', destination_node: 'compute3' };
    const [first, second] = ['b199db0c-1408-4d52-b5a5-5ca14de0ff36', '8db1b3c1-7938-4c34-8c03-6de14b874f8f'];
    expect(actions.map(({ actionType, inputParameters }) => [actionType, inputParameters])).toEqual([
      ['nop', { message: 'hello World' }],
      ['nop', { message: 'Welcome' }],
      ['sleep', { duration: 5 }],
      ['migrate', { ...move, resource_name: first, resource_id: first }],
      ['migrate', { ...move, resource_name: second, resource_id: second }],
      ['resize', { flavor: 'x2', resource_id: second }],
    ]);
    expect(indicators).toEqual({});
  });

  it('keeps the promises of a strategy', async () => {
    await assertWellBehaved(dummyWithResizeStrategy, { snapshot });
  });
});
