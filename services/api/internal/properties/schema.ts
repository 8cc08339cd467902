import { Type } from 'typebox';
import { component, strict } from '../../openapi/shared-schemas.ts';

const reading = {
  value: Type.Unknown({
    description: 'Value as declared; null without a value, then `age_seconds` is null too.',
  }),
  age_seconds: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'Seconds since the value was loaded.',
  }),
  stale: Type.Boolean({ description: 'Whether the value is outdated, by its time to live or by a change.' }),
  error: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    description: 'Reason of a failed read; the value is then the last good one.',
    required: ['code', 'message'],
    properties: { code: { type: 'string' }, message: { type: 'string' } },
    additionalProperties: false,
  }),
};

/** Components of the dynamic properties. */
export const propertySchemas = [
  Type.Object(
    {
      kind: Type.String({ description: 'Kind of the entity, such as `server`.' }),
      name: Type.String(),
      description: Type.String(),
      schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the value.' }),
      ttl_seconds: Type.Number(),
      stale_while_revalidate_seconds: Type.Number(),
      timeout_seconds: Type.Number(),
      locked: Type.Boolean({ description: 'Whether concurrent reads of all processes share one load.' }),
      backend: Type.String({ description: 'Source of the value.' }),
    },
    { $id: 'PropertyDeclaration', ...strict },
  ),
  Type.Object({ properties: Type.Array(component('PropertyDeclaration')) }, { $id: 'PropertyDeclarations', ...strict }),
  Type.Object(reading, { $id: 'PropertyReading', ...strict }),
  Type.Object(
    {
      kind: Type.String(),
      id: Type.String(),
      properties: Type.Record(Type.String(), component('PropertyReading')),
    },
    { $id: 'EntityProperties', ...strict },
  ),
  Type.Object(
    { kind: Type.String(), id: Type.String(), name: Type.String(), ...reading },
    { $id: 'EntityProperty', ...strict },
  ),
];
