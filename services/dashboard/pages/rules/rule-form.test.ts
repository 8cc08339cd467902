import { expect, test } from 'vitest';
import type { PlacementRule } from '../../api/find-types.ts';
import { enPages } from '../../texts/en/pages.ts';
import { addTexts, text } from '../../texts/texts.ts';
import { emptyRule, formOf, problemOf, ruleOf } from './rule-form.ts';
import { hostsText, instancesText } from './rule-text.ts';

addTexts(enPages);

const rule: PlacementRule = {
  uuid: '6a3f6e50-27b1-4e8c-9d0e-4a58a5b8f001',
  name: 'licensed',
  description: null,
  kind: 'prefer_hosts',
  instances: { names: ['db-*'], metadata: { role: 'db=1' }, flavors: ['m1.*'] },
  hosts: { names: ['a', 'b'], zones: ['az1'] },
  strict: false,
  max_per_host: null,
  enabled: true,
  created_at: null,
  updated_at: null,
};

test('a rule goes through its dialog unchanged', () => {
  const { uuid: _uuid, created_at: _created, updated_at: _updated, ...fields } = rule;
  expect(ruleOf(formOf(rule))).toEqual(fields);
  expect(problemOf(formOf(rule))).toBeNull();
});

test('another kind omits the fields of the former one', () => {
  expect(ruleOf({ ...formOf(rule), kind: 'leave_alone' })).toMatchObject({
    hosts: null,
    strict: true,
    max_per_host: null,
  });
  expect(ruleOf({ ...formOf(rule), kind: 'keep_apart', maxPerHost: 2 })).toMatchObject({
    hosts: null,
    max_per_host: 2,
  });
});

test.each([
  [{}, 'name'],
  [{ name: 'r' }, 'instances'],
  [{ name: 'r', names: ['*'], metadata: ['=x'] }, 'key=pattern'],
  [{ name: 'r', names: ['*'], kind: 'avoid_hosts' as const }, 'hosts'],
  [{ name: 'r', names: ['*'], maxPerHost: 0.5 }, 'whole number'],
])('%j is not sent', (fields, text) => {
  expect(problemOf({ ...emptyRule, ...fields })).toContain(text);
});

test('says which instances and hosts it is about', () => {
  expect(instancesText(rule)).toBe('name db-*; flavor m1.*; role = db=1');
  expect(hostsText(rule)).toBe('host a, b; zone az1');
  expect(instancesText({ instances: { names: ['*'] }, hosts: null })).toBe(text('rules.about.all'));
});
