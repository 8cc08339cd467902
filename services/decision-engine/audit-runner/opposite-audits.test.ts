import { expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { AuditRefusedError } from './errors.ts';
import { judgeOppositeAudits } from './opposite-audits.ts';

const world = createTestWorld({
  hosts: ['a', 'b', 'c'].map((hostname, index) => ({ hostname, aggregates: index < 2 ? ['fast'] : ['slow'] })),
});
const aggregate = (name: string) => [{ compute: [{ host_aggregates: [{ name }] }] }];
const older = {
  ...{ id: 1, uuid: 'older', name: 'tight', scope: aggregate('fast'), parameters: {}, against: null },
  ...{ goalName: 'server_consolidation', strategyName: 'basic' },
  aim: 'pack' as const,
};

it('names an audit with the opposite aim and the number of common hosts', () => {
  const [note, ...others] = judgeOppositeAudits(world, [], { id: 2, audits: [older] }, 'allow');
  expect(others).toEqual([]);
  expect(note).toContain('audit tight packs instances onto few hosts on 2 hosts');
});

it('says nothing about an audit of other hosts, and does not refuse it', () => {
  expect(judgeOppositeAudits(world, aggregate('slow'), { id: 2, audits: [older] }, 'refuse')).toEqual([]);
});

it('refuses the younger of two audits, and has the older one run', () => {
  const judge = (id: number) => judgeOppositeAudits(world, [], { id, audits: [older] }, 'refuse');
  expect(() => judge(2)).toThrow(AuditRefusedError);
  expect(judge(0)).toHaveLength(1);
});

it('reports that the younger of two audits has both aims where they are merged', () => {
  const judge = (id: number) => judgeOppositeAudits(world, [], { id, audits: [older] }, 'merge');
  expect(judge(2)[0]).toMatch(/undo each other, so this plan is computed with both aims$/);
  expect(judge(0)[0]).toMatch(/undo each other$/);
});

it('refuses the younger of two audits whose aims cannot be merged, with the strategies that stand against it', () => {
  const audits = [{ ...older, against: ['allocation_balance'] }];
  const judge = (id: number) => judgeOppositeAudits(world, [], { id, audits }, 'merge');
  expect(() => judge(2)).toThrow('cannot be merged because of allocation_balance');
  expect(judge(0)).toHaveLength(1);
});
