import type { JsonObject } from '#libs/domain';

/** Parameters of `dummy_with_scorer`; they are logged and change nothing. */
export type DummyWithScorerParameters = {
  /** 1 to 10.2, default 3.2. */
  param1: number;
  /** Default `hello`. */
  param2: string;
};

/** JSON Schema (draft 4) of the parameters. */
export const dummyWithScorerParameters: JsonObject = {
  type: 'object',
  properties: {
    param1: { description: 'A number that is logged.', type: 'number', default: 3.2, minimum: 1.0, maximum: 10.2 },
    param2: { description: 'A text that is logged.', type: 'string', default: 'hello' },
  },
};
