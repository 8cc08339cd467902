import { expect, it } from 'vitest';
import { createFakeCloud, createTestActionContext } from '#tests';
import { type NopInput, nop } from './nop.ts';

const contextOf = (input: NopInput) => createTestActionContext(createFakeCloud({ hosts: [] }), input);

it('does nothing, well', async () => {
  const context = contextOf({ message: null });
  expect(await nop.preCondition(context)).toEqual({ go: true });
  expect(await nop.execute(context)).toBe(true);
  await nop.postCondition(context);
  expect([await nop.revert(context), await nop.abort(context)]).toEqual([true, true]);
});

it('skips and fails as its parameters say', async () => {
  expect(await nop.preCondition(contextOf({ message: 'm', skip_pre_condition: true }))).toEqual({
    go: false,
    skip: 'Skipped in pre_condition',
  });
  await expect(nop.preCondition(contextOf({ message: 'm', fail_pre_condition: true }))).rejects.toThrow(
    'Failed in pre_condition',
  );
  expect(await nop.execute(contextOf({ message: 'm', fail_execute: true }))).toBe(false);
  await expect(nop.postCondition(contextOf({ message: 'm', fail_post_condition: true }))).rejects.toThrow(
    'Failed in post_condition',
  );
});
