import { Type } from 'typebox';
import { linksSchema, listSchema, nullableText, nullableUuid, uuid } from '../../../openapi/shared-schemas.ts';

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
];
