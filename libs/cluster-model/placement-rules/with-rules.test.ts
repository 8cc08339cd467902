import { describe, expect, it } from 'vitest';
import { createTestWorld, type TestInstance, type TestWorld } from '#libs/plugin-kit/testing';
import { createWhatIf } from '../create-what-if.ts';
import { ruleEffects, rulesAbout } from './rule-effects.ts';
import { type RuleText, withRules } from './with-rules.ts';

const hosts = ['a', 'b', 'c'].map((hostname) => ({ hostname, aggregates: hostname === 'c' ? ['fast'] : [] }));
const on = (host: string, ...names: string[]): TestInstance[] => names.map((name) => ({ name, host }));

function world(instances: TestInstance[], rules: TestWorld['rules']) {
  return createWhatIf(createTestWorld({ hosts, instances, rules }));
}

/** Where the first instance, which is on `a`, may go. */
function destinations(instances: TestInstance[], rule: Partial<RuleText>) {
  const model = world(instances, [rule]);
  return ['b', 'c'].map((hostname) => model.refusal(0, model.hostRow(hostname) as number));
}

describe('strict rules', () => {
  const dbs = { instances: { names: ['db-*'] } };
  it.each<[string, TestInstance[], Partial<RuleText>, unknown[]]>([
    [
      'keep apart: not to a host that has its share',
      [...on('a', 'db-1', 'web'), ...on('b', 'db-2')],
      { kind: 'keep_apart', ...dbs },
      ['rule-apart', null],
    ],
    [
      'keep apart, two on a host',
      [...on('a', 'db-1'), ...on('b', 'db-2'), ...on('c', 'db-3', 'db-4')],
      { kind: 'keep_apart', maxPerHost: 2, ...dbs },
      [null, 'rule-apart'],
    ],
    [
      'keep together: not away from the others',
      [...on('a', 'db-1', 'db-2'), ...on('c', 'db-3', 'db-4')],
      { kind: 'keep_together', ...dbs },
      ['rule-together', null],
    ],
    [
      'keep together: one that is alone may go anywhere',
      [...on('a', 'db-1'), ...on('c', 'db-3')],
      { kind: 'keep_together', ...dbs },
      [null, null],
    ],
    [
      'preferred hosts',
      on('a', 'db-1'),
      { kind: 'prefer_hosts', hosts: { aggregates: ['fast'] }, ...dbs },
      ['rule-hosts', null],
    ],
    [
      'avoided hosts',
      on('a', 'db-1'),
      { kind: 'avoid_hosts', hosts: { names: ['[c]', 'c*'] }, ...dbs },
      [null, 'rule-hosts'],
    ],
    [
      'zones',
      on('a', 'db-1'),
      { kind: 'avoid_hosts', hosts: { zones: ['nova'] }, ...dbs },
      ['rule-hosts', 'rule-hosts'],
    ],
    ['left alone', on('a', 'db-1'), { kind: 'leave_alone', ...dbs }, ['rule-leave-alone', 'rule-leave-alone']],
    ['of others', on('a', 'web'), { kind: 'leave_alone', ...dbs }, [null, null]],
    ['about nothing', on('a', 'web'), { kind: 'leave_alone', instances: {} }, [null, null]],
  ])('%s', (_, instances, rule, expected) => {
    expect(destinations(instances, rule)).toEqual(expected);
  });

  it('count along with moves, and as if another had left', () => {
    const model = world([...on('a', 'db-1'), ...on('b', 'db-2')], [{ kind: 'keep_apart', ...dbs }]);
    expect(model.refusal(0, 1)).toBe('rule-apart');
    expect(model.refusalAfter(0, 1, 1)).toBeNull();
    expect(model.refusal(0, 1)).toBe('rule-apart');
    model.move(1, 2);
    expect([model.refusal(0, 1), model.refusal(0, 2)]).toEqual([null, 'rule-apart']);
  });

  it('hold together', () => {
    const rules = [
      { kind: 'keep_apart' as const, ...dbs },
      { kind: 'avoid_hosts' as const, instances: { metadata: { tier: 'g?ld' } }, hosts: { names: ['c'] } },
    ];
    const gold = { name: 'db-1', host: 'a', metadata: { tier: 'gold' } };
    const model = world([gold, ...on('b', 'db-2')], rules);
    expect([model.refusal(0, 1), model.refusal(0, 2)]).toEqual(['rule-apart', 'rule-hosts']);
  });
});

it.each<[string, RuleText['instances'], string[]]>([
  ['names', { names: ['web-?', 'x.y'] }, ['web-1', 'x.y']],
  ['projects', { projects: ['p2'] }, ['x.y', 'xzy']],
  ['flavors', { flavors: ['m1.*'] }, ['web-1', 'web-22']],
  ['metadata', { metadata: { role: '*' } }, ['web-22']],
  ['all conditions', { names: ['*'], projects: ['p1'], flavors: ['m1.*'], metadata: { role: 'db' } }, ['web-22']],
])('instances are chosen by %s', (_, instances, expected) => {
  const world: TestInstance[] = [
    { name: 'web-1', projectId: 'p1', flavorName: 'm1.small' },
    { name: 'web-22', projectId: 'p1', flavorName: 'm1.large', metadata: { role: 'db' } },
    { name: 'x.y', projectId: 'p2' },
    { name: 'xzy', projectId: 'p2', flavorName: 'm2.small' },
  ];
  const snapshot = createTestWorld({ hosts, instances: world });
  const rule = { name: 'r', kind: 'keep_apart' as const, instances, hosts: null, isStrict: true, maxPerHost: 1 };
  const [resolved] = withRules(snapshot, [rule]).snapshot.rules ?? [];
  expect([...(resolved?.instances ?? [])].map((row) => snapshot.instanceInfo[row]?.name)).toEqual(expected);
});

it('rules that are not strict cost their violations', () => {
  const instances = [...on('a', 'db-1', 'db-2'), ...on('b', 'db-3'), ...on('c', 'db-4', 'db-5')];
  const model = (rule: Partial<RuleText>) =>
    world(instances, [{ instances: { names: ['db-*'] }, isStrict: false, ...rule }]);
  const costs = (rule: Partial<RuleText>) => [0, 1, 2].map((host) => model(rule).softCost(0, host));
  expect(costs({ kind: 'keep_apart' })).toEqual([1, 1, 2]);
  expect(costs({ kind: 'keep_together' })).toEqual([3, 3, 2]);
  expect(costs({ kind: 'prefer_hosts', hosts: { names: ['b'] } })).toEqual([1, 0, 1]);
  expect(costs({ kind: 'avoid_hosts', hosts: { names: ['b'] } })).toEqual([0, 1, 0]);
  expect(model({ kind: 'avoid_hosts', hosts: { names: ['b'] } }).refusal(0, 1)).toBeNull();
});

it('rules without a subject are reported', () => {
  const snapshot = createTestWorld({ hosts, instances: on('a', 'vm') });
  const rule = (name: string, pattern: string, host: string) => ({
    name,
    kind: 'avoid_hosts' as const,
    instances: { names: [pattern] },
    hosts: { names: [host] },
    isStrict: true,
    maxPerHost: null,
  });
  const { notes } = withRules(snapshot, [rule('r1', 'none', 'a'), rule('r2', 'vm', 'nowhere'), rule('r3', 'vm', 'b')]);
  expect(notes).toEqual(['rule r1 fits no instance within the scope', 'rule r2 names no host within the scope']);
  expect(snapshot.rules).toBeUndefined();
});

it('a uuid chooses one instance of several with its name', () => {
  const uuids = ['one', 'other'];
  const snapshot = createTestWorld({ hosts, instances: uuids.map((uuid) => ({ uuid, name: 'vm', host: 'a' })) });
  const kept: RuleText = { ...anyRule, kind: 'leave_alone', instances: { uuids: ['other'] } };
  const [resolved] = withRules(snapshot, [kept]).snapshot.rules ?? [];
  expect([...(resolved?.instances ?? [])]).toEqual([1]);
  expect([0, 1].map((row) => rulesAbout(snapshot, row, [kept]))).toEqual([[], ['r']]);
});

const anyRule: RuleText = {
  name: 'r',
  kind: 'keep_apart',
  instances: { names: ['db-*'] },
  hosts: null,
  isStrict: true,
  maxPerHost: 1,
};

it.each<[Partial<RuleText>, number[]]>([
  [{ kind: 'keep_apart' }, [1, 4]],
  [{ kind: 'keep_apart', maxPerHost: 2 }, []],
  [{ kind: 'keep_together', maxPerHost: null }, [2, 3, 4]],
  [{ kind: 'prefer_hosts', hosts: { names: ['b'] } }, [0, 1, 3, 4]],
  [{ kind: 'avoid_hosts', hosts: { names: ['a'] } }, [0, 1]],
  [{ kind: 'leave_alone' }, []],
])('violations of %j are reported', (rule, misplaced) => {
  const instances = [...on('a', 'db-1', 'db-2'), ...on('b', 'db-3'), ...on('c', 'db-4', 'db-5')];
  const [effect] = ruleEffects(createTestWorld({ hosts, instances }), [{ ...anyRule, ...rule }]);
  expect(effect).toMatchObject({ instances: [0, 1, 2, 3, 4], misplaced });
  expect(effect?.hosts).toEqual(rule.hosts ? [rule.hosts.names?.[0] === 'b' ? 1 : 0] : null);
});
