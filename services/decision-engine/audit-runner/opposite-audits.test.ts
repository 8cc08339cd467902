import { expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { AuditRefusedError } from './errors.ts';
import { judgeOppositeAudits } from './opposite-audits.ts';

const world = createTestWorld({
  hosts: ['a', 'b', 'c'].map((hostname, index) => ({ hostname, aggregates: index < 2 ? ['fast'] : ['slow'] })),
});
const aggregate = (name: string) => [{ compute: [{ host_aggregates: [{ name }] }] }];
const older = { id: 1, uuid: 'older', name: 'tight', scope: aggregate('fast'), aim: 'pack' } as const;

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
