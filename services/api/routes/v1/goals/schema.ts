import { Type } from 'typebox';
import { linksSchema, listSchema, nullableText, timestampFields, uuid } from '../../../openapi/shared-schemas.ts';

const listFields = {
  uuid: uuid('Identifier.'),
  name: Type.String({ description: 'Unique name.' }),
  display_name: Type.String(),
  efficacy_specification: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      unit: nullableText('Unit of the value.'),
      schema: Type.String({ description: 'JSON Schema of the value, as text.' }),
    }),
    { description: 'Indicators that a plan for this goal reports.' },
  ),
  links: linksSchema,
};

/** Components of the OpenAPI document for goals. */
export const goalSchemas = [
  Type.Object({ ...listFields, ...timestampFields }, { $id: 'Goal', additionalProperties: false }),
  Type.Object(listFields, { $id: 'GoalListEntry', additionalProperties: false }),
  listSchema('GoalList', 'goals', 'GoalListEntry'),
  listSchema('GoalDetailList', 'goals', 'Goal'),
];
