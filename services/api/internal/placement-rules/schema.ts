import { type TSchema, Type } from 'typebox';
import { placementRuleKinds } from '#libs/domain';
import { component, nullableText, nullableUuid, strict, uuid, words } from '../../openapi/shared-schemas.ts';

const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const selectors = [
  Type.Object(
    {
      uuids: texts('Uuids of single instances.'),
      names: texts('Patterns of names (`*`, `?`); one of them must match.'),
      metadata: Type.Optional(
        Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Required metadata keys of the instance, each with a pattern of its value.',
        }),
      ),
      projects: texts('Ids of projects.'),
      flavors: texts('Patterns of names of flavors.'),
    },
    { $id: 'InstanceSelector', ...strict },
  ),
  Type.Object(
    {
      names: texts('Patterns of host names.'),
      aggregates: texts('Names of host aggregates.'),
      zones: texts('Names of availability zones.'),
    },
    { $id: 'HostSelector', ...strict },
  ),
];

const hosts = Type.Unsafe({
  anyOf: [component('HostSelector'), { type: 'null' }],
  description: 'Hosts that meet one of the conditions, for `prefer_hosts` and `avoid_hosts`; otherwise null.',
});
const maxPerHost = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 1,
  description: 'Maximum number of instances per host for `keep_apart`, default 1; null otherwise.',
});
const fields = {
  name: Type.String({ description: 'Name, unique among the rules.' }),
  description: nullableText('Description.'),
  kind: words(placementRuleKinds, 'Kind of the rule.'),
  instances: component('InstanceSelector'),
  hosts,
  strict: Type.Boolean({
    description:
      'Whether moves that break the rule are refused. Default true, false for `prefer_hosts`. `leave_alone` is always strict.',
  }),
  max_per_host: maxPerHost,
  enabled: Type.Boolean({ description: 'Whether the rule applies. Default true.' }),
};
const optional = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]));

/** Components of the internal document for the operator's rules. */
export const placementRuleSchemas: TSchema[] = [
  ...selectors,
  Type.Object(
    {
      uuid: uuid('Identifier.'),
      ...fields,
      created_at: nullableText('ISO 8601 with offset.'),
      updated_at: nullableText('ISO 8601 with offset; null when never changed.'),
    },
    { $id: 'PlacementRule', ...strict },
  ),
  Type.Object(
    {
      placement_rules: Type.Array(component('PlacementRule')),
      next: nullableUuid('Value of `marker` for the next page.'),
    },
    { $id: 'PlacementRuleList', ...strict },
  ),
  Type.Object(
    { ...optional, name: fields.name, kind: fields.kind, instances: fields.instances },
    { $id: 'PlacementRuleCreate', ...strict },
  ),
  Type.Object(optional, { $id: 'PlacementRuleChange', ...strict }),
];
