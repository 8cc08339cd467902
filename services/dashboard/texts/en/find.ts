/** The field that searches for hosts, instances, projects and flavors. */
export const find = {
  'find.button': 'Find a host or an instance',
  'find.label': 'Name or uuid',
  'find.placeholder': 'Name or the beginning of a uuid',
  'find.found': 'What was found',
  'find.nothing': 'Nothing of that name.',
  'find.more': 'And {count} more: type on to narrow it.',
  'find.instance': 'instance {id}',
  'find.instanceOn': 'instance {id} on {host}',
  'find.host': { one: 'host, {count} instance', other: 'host, {count} instances' },
  'find.project': { one: 'project, {count} instance', other: 'project, {count} instances' },
  'find.flavor': { one: 'flavor, {count} instance', other: 'flavor, {count} instances' },
} as const;
