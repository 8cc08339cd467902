import { describe, expect, it } from 'vitest';
import { approvalReasons, parseApprovalRules } from './approval-rules.ts';

const small = { goal: 'dummy', strategy: 'dummy', size: { migrations: 2, gib: 8, hosts: 2 } };
const large = { goal: 'server_consolidation', strategy: 'node', size: { migrations: 60, gib: 900, hosts: 12 } };
const mondayNoon = Date.UTC(2026, 10, 23, 12);

function reasons(rules: object[], plan: Parameters<typeof approvalReasons>[1], nowMs = mondayNoon): string[] {
  return approvalReasons(parseApprovalRules(JSON.stringify(rules)), plan, nowMs);
}

describe('a rule of approval', () => {
  it('applies when all of its conditions hold', () => {
    const rule = { name: 'night', above_migrations: 50, goals: ['server_consolidation'] };
    expect(reasons([rule], large)).toEqual(['rule night: 60 migrations, allowed 50, goal server_consolidation']);
    expect(reasons([rule], { ...large, goal: 'dummy' })).toEqual([]);
    expect(reasons([rule], small)).toEqual([]);
  });

  it('applies to every plan without conditions, and to none without rules', () => {
    expect(reasons([{ name: 'all' }], small)).toEqual(['rule all: every plan']);
    expect(reasons([], large)).toEqual([]);
    expect(parseApprovalRules('')).toEqual([]);
  });

  it('counts an unknown size as too large', () => {
    const unknown = { ...small, size: { ...small.size, gib: null } };
    expect(reasons([{ name: 'big', above_gib: 100 }], unknown)).toEqual(['rule big: unknown GiB to move, allowed 100']);
  });

  it.each([
    ['Mon-Fri 08:00-18:00', 'UTC', mondayNoon, true],
    ['Mon-Fri 08:00-18:00', 'Asia/Tokyo', mondayNoon, false],
    ['Sat-Sun 00:00-24:00', 'UTC', mondayNoon, false],
    ['Fri-Mon 10:00-13:00', 'UTC', mondayNoon, true],
    ['Sun 22:00-06:00', 'UTC', Date.UTC(2026, 10, 23, 5, 59), true],
    ['Sun 22:00-06:00', 'UTC', Date.UTC(2026, 10, 23, 6), false],
    ['Mon 22:00-06:00', 'UTC', Date.UTC(2026, 10, 23, 5), false],
    ['12:00-12:01', 'UTC', mondayNoon, true],
  ])('applies in the hours %s %s', (hours, time_zone, now, applies) => {
    expect(reasons([{ name: 'hours', hours, time_zone }], small, now)).toHaveLength(applies ? 1 : 0);
  });

  it.each([
    ['{', 'must be JSON'],
    ['{}', 'must be a list of rules'],
    ['[1]', 'rule 1 must be an object'],
    ['[{"above_hosts": 1}]', 'rule 1 needs a name'],
    ['[{"name": "a", "above_migration": 1}]', 'did you mean above_migrations?'],
    ['[{"name": "a", "above_hosts": 1.5}]', 'above_hosts must be a whole number from 0'],
    ['[{"name": "a", "goals": "x"}]', 'goals must be a list of names'],
    ['[{"name": "a", "hours": "8-18"}]', 'hours must be hours such as'],
    ['[{"name": "a", "hours": "Mox 08:00-18:00"}]', 'unknown day "Mox"'],
    ['[{"name": "a", "hours": "08:00-18:00", "time_zone": "Nowhere"}]', 'time_zone must be such as'],
    ['[{"name": "a", "time_zone": "UTC"}]', 'time_zone needs the field hours'],
    ['[{"name": "a"}, {"name": "a"}]', 'two rules with the name "a"'],
  ])('is refused: %s', (text, reason) => {
    expect(() => parseApprovalRules(text)).toThrow(reason);
  });
});
