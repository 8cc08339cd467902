import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createRefusalMemo } from './refusal-memo.ts';

it('remembers refusals until an instance leaves the host, except those of group members', () => {
  const snapshot = createTestWorld({
    hosts: [{ hostname: 'a' }, { hostname: 'b' }],
    instances: [
      { name: 'free', host: 'a' },
      { name: 'grouped', host: 'a', group: 'g' },
    ],
    groups: [{ name: 'g', policy: 'anti-affinity' }],
  });
  const memo = createRefusalMemo(createWhatIf(snapshot));
  const known = memo.of(0);
  if (known) known[1] = 1;
  expect([...(memo.of(0) ?? [])]).toEqual([0, 1]);
  memo.freed(1);
  expect([...(memo.of(0) ?? [])]).toEqual([0, 0]);
  expect(memo.of(1)).toBeNull();
});
