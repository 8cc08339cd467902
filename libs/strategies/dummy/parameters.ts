import type { JsonObject, SchemaValue } from '#libs/domain';

/** JSON Schema (draft 4) of the parameters. */
export const dummyParameters = {
  type: 'object',
  properties: {
    para1: {
      description: 'Seconds that the sleep action takes.',
      'x-unit': 's',
      type: 'number',
      default: 3.2,
      minimum: 1.0,
      maximum: 10.2,
    },
    para2: { description: 'Message of the second nop action.', type: 'string', default: 'hello' },
  },
} as const satisfies JsonObject;

/** Parameters of `dummy`. */
export type DummyParameters = SchemaValue<typeof dummyParameters>;
