import { Type } from 'typebox';
import { component, nullableText } from '../../openapi/shared-schemas.ts';

/** Components of `GET /internal/deployment`. */
export const deploymentSchemas = [
  Type.Object(
    {
      name: Type.String({ description: 'What is checked, such as `store`.' }),
      ok: Type.Boolean(),
      reason: nullableText('Why it is not usable.'),
      duration_ms: Type.Integer(),
    },
    { $id: 'ReadinessCheck', additionalProperties: false },
  ),
  Type.Object(
    {
      version: Type.String({ description: 'Version of the build.' }),
      internal_version: Type.String({ description: 'What the version header must say.' }),
      public_version: Type.String({ description: 'Newest microversion of the public API.' }),
      node_version: Type.String({ description: 'Version of the runtime.' }),
      ready: Type.Boolean({ description: 'Whether this process can do its work.' }),
      checks: Type.Array(component('ReadinessCheck')),
      outbox: Type.Object(
        {
          messages: Type.Integer({ description: 'Messages that no broker has taken yet.' }),
          oldest_seconds: Type.Number({ description: 'Age of the oldest; 0 when there are none.' }),
        },
        { additionalProperties: false },
      ),
      change_number: Type.Integer({ description: 'Newest number of the change log.' }),
    },
    { $id: 'Deployment', additionalProperties: false },
  ),
];
