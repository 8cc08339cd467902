import type { JsonObject } from '#libs/domain';
import { consolidationProperties } from '../search-based/parameters.ts';

/** JSON Schema (draft 4) of the parameters. */
export const consolidationOptimizerParameters: JsonObject = {
  type: 'object',
  'x-aim': 'pack',
  'x-merges': true,
  properties: consolidationProperties,
};
