import { Type } from 'typebox';
import { linksSchema, listSchema, nullableText, nullableUuid, uuid, words } from '../../../openapi/shared-schemas.ts';

const listFields = {
  uuid: uuid('Identifier.'),
  name: Type.String({ description: 'Unique name.' }),
  display_name: Type.String(),
  goal_uuid: nullableUuid('Goal that the strategy serves.'),
  goal_name: nullableText('Name of that goal.'),
  links: linksSchema,
};
const allFields = {
  ...listFields,
  parameters_spec: Type.Object(
    {},
    { additionalProperties: true, description: 'JSON Schema (draft 4) of the parameters; empty when there are none.' },
  ),
};

/** Components of the OpenAPI document for strategies. */
export const strategySchemas = [
  Type.Object(allFields, { $id: 'Strategy', additionalProperties: false }),
  Type.Object(listFields, { $id: 'StrategyListEntry', additionalProperties: false }),
  listSchema('StrategyList', 'strategies', 'StrategyListEntry'),
  listSchema('StrategyDetailList', 'strategies', 'Strategy'),
  Type.Array(
    Type.Object(
      {
        type: words(['Datasource', 'Metrics', 'CDM', 'Name'], 'What is needed, and the name at the end.'),
        state: Type.Union([Type.String(), Type.Array(Type.Object({}, { additionalProperties: Type.String() }))], {
          description: 'What there is; for metrics and models one object each, with its name.',
        }),
        mandatory: Type.Union([Type.Boolean(), Type.Literal('')]),
        comment: Type.String({ description: 'What is wrong; empty when nothing is.' }),
      },
      { additionalProperties: false },
    ),
    { $id: 'StrategyState' },
  ),
];
