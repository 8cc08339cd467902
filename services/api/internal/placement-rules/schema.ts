import { type TSchema, Type } from 'typebox';
import { placementRuleKinds } from '#libs/domain';
import { component, nullableText, nullableUuid, strict, uuid, words } from '../../openapi/shared-schemas.ts';

const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const selectors = [
  Type.Object(
    {
      uuids: texts('Uuids of single instances.'),
      names: texts('Patterns of names (`*`, `?`), one of which must fit.'),
      metadata: Type.Optional(
        Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Keys that the instance must have, each with a pattern of its value.',
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
  description: 'Hosts that meet one of the conditions; of `prefer_hosts` and `avoid_hosts`, null for the others.',
});
const maxPerHost = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 1,
  description: 'Of `keep_apart`: instances on one host at most, default 1; null for the others.',
});
const fields = {
  name: Type.String({ description: 'Unique among the rules.' }),
  description: nullableText('For people.'),
  kind: words(placementRuleKinds, 'Kind of the rule.'),
  instances: component('InstanceSelector'),
  hosts,
  strict: Type.Boolean({
    description:
      'Whether moves that break it are refused; else it is a cost. Default true, for `prefer_hosts` false; `leave_alone` is always strict.',
  }),
  max_per_host: maxPerHost,
  enabled: Type.Boolean({ description: 'Default true.' }),
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
