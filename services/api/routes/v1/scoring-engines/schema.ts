import { Type } from 'typebox';
import { linksSchema, listSchema, nullableText, uuid } from '../../../openapi/shared-schemas.ts';

const listFields = {
  uuid: uuid('Identifier.'),
  name: Type.String({ description: 'Unique name.' }),
  description: nullableText('For people.'),
  links: linksSchema,
};

/** Components of the OpenAPI document for scoring engines. */
export const scoringEngineSchemas = [
  Type.Object(
    { ...listFields, metainfo: nullableText('What the engine says of itself, often JSON as text.') },
    { $id: 'ScoringEngine', additionalProperties: false },
  ),
  Type.Object(listFields, { $id: 'ScoringEngineListEntry', additionalProperties: false }),
  listSchema('ScoringEngineList', 'scoring_engines', 'ScoringEngineListEntry'),
  listSchema('ScoringEngineDetailList', 'scoring_engines', 'ScoringEngine'),
];
