import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { taskDefinitions } from './task-definitions.ts';

test.each(taskDefinitions)('the arguments of $name are described by a schema that is one', ({ argumentsSchema }) => {
  expect(new Ajv2020({ strict: false }).validateSchema(argumentsSchema)).toBe(true);
});
