import { Type } from 'typebox';
import { component, strict } from '../../openapi/shared-schemas.ts';

const reading = {
  value: Type.Unknown({
    description: 'As declared; null also when there is no value, and then `age_seconds` is null.',
  }),
  age_seconds: Type.Unsafe<number | null>({ type: ['number', 'null'], description: 'Since it was loaded.' }),
  stale: Type.Boolean({ description: 'Older than its time to live, or a change has made it outdated.' }),
  error: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    description: 'Why it could not be loaded; the value is then the last good one.',
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
      locked: Type.Boolean({ description: 'Concurrent readers of all processes cause one load.' }),
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
