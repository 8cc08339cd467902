import { expect, test } from 'vitest';
import { enPages } from '../../texts/en/pages.ts';
import { addTexts, text } from '../../texts/texts.ts';
import { changedFields } from './changed-fields.ts';

addTexts(enPages);

const rule = {
  uuid: '6a3f6e50-27b1-4e8c-9d0e-4a58a5b8f001',
  name: 'licensed',
  description: null,
  kind: 'prefer_hosts',
  instances: { names: ['db-*'], metadata: { role: 'db' } },
  hosts: { names: ['a', 'b'] },
  strict: false,
  enabled: true,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: null,
};

test('a change lists the fields that differ, with titles and words', () => {
  const after = {
    ...rule,
    kind: 'avoid_hosts',
    instances: { names: ['db-*'], metadata: { role: 'web' } },
    hosts: { names: ['a'], zones: ['az1'] },
    enabled: false,
    updated_at: '2026-01-02T00:00:00Z',
  };
  expect(changedFields({ before: rule, after })).toEqual([
    {
      path: 'kind',
      title: text('rules.policy'),
      before: text('rules.kind.prefer_hosts'),
      after: text('rules.kind.avoid_hosts'),
    },
    { path: 'instances.metadata.role', title: `${text('rules.metadata')} › role`, before: 'db', after: 'web' },
    { path: 'hosts.names', title: text('column.hosts'), before: 'a, b', after: 'a' },
    { path: 'enabled', title: text('rules.enforced'), before: text('common.yes'), after: text('common.no') },
    { path: 'hosts.zones', title: text('rules.zones'), before: null, after: 'az1' },
  ]);
});

test('a created and a deleted object list every field that has a value', () => {
  const paths = ['name', 'kind', 'instances.names', 'instances.metadata.role', 'hosts.names', 'strict', 'enabled'];
  const created = changedFields({ before: null, after: rule });
  expect(created.map(({ path }) => path)).toEqual(paths);
  expect(created.every(({ before, after }) => before === null && after !== null)).toBe(true);
  expect(changedFields({ before: rule, after: null }).map(({ path }) => path)).toEqual(paths);
});

test('unknown fields have the words of their name, and values that are no objects stay', () => {
  expect(changedFields({ before: { new_limit: 1, list: [] }, after: { new_limit: 2, list: [] } })).toEqual([
    { path: 'new_limit', title: 'New limit', before: '1', after: '2' },
  ]);
  expect(changedFields(null)).toEqual([]);
});
