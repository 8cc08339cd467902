import type { JsonObject } from '#libs/domain';

/** Parameters of `dummy`. */
export type DummyParameters = {
  /** Length of the sleep in seconds, 1 to 10.2, default 3.2. */
  para1: number;
  /** Message of the second `nop`, default `hello`. */
  para2: string;
};

/** JSON Schema (draft 4) of the parameters. */
export const dummyParameters: JsonObject = {
  type: 'object',
  properties: {
    para1: {
      description: 'Seconds that the sleep action takes.',
      type: 'number',
      default: 3.2,
      minimum: 1.0,
      maximum: 10.2,
    },
    para2: { description: 'Message of the second nop action.', type: 'string', default: 'hello' },
  },
};
