import type { JsonObject, SchemaValue } from '#libs/domain';

/** JSON Schema (draft 4) of the parameters. */
export const dummyWithScorerParameters = {
  type: 'object',
  properties: {
    param1: { description: 'A number that is logged.', type: 'number', default: 3.2, minimum: 1.0, maximum: 10.2 },
    param2: { description: 'A text that is logged.', type: 'string', default: 'hello' },
  },
} as const satisfies JsonObject;

/** Parameters of `dummy_with_scorer`. They are logged and change nothing. */
export type DummyWithScorerParameters = SchemaValue<typeof dummyWithScorerParameters>;
