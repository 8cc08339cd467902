import { Type } from 'typebox';
import { component, nullableText } from '../../openapi/shared-schemas.ts';

const strict = { additionalProperties: false };

/** Components of the routes of dead letters. */
export const deadLetterSchemas = [
  Type.Object(
    {
      id: Type.String({ description: 'Names it as long as it is parked.' }),
      message_id: Type.String(),
      type: Type.String({ description: 'Such as `plan.launch`.' }),
      queue: Type.String({ description: 'Where it was given up.' }),
      reason: Type.String({ description: 'Why.' }),
      attempt: Type.Integer({ description: 'Deliveries before the last one.' }),
      published_at: Type.String(),
      dead_at: Type.String(),
      correlation_id: nullableText('Request that caused it.'),
      body: Type.Object({}, { additionalProperties: true, description: 'Ids only; empty when it was no JSON.' }),
    },
    { $id: 'DeadLetter', ...strict },
  ),
  Type.Object(
    {
      dead_letters: Type.Array(component('DeadLetter'), {
        description: 'Newest first, of the oldest 1000 that are parked.',
      }),
      count: Type.Integer({ description: 'All that are parked.' }),
    },
    { $id: 'DeadLetterList', ...strict },
  ),
];
