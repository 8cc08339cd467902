import type { JsonObject } from '#libs/domain';
import { searchProperties } from '../search-based/parameters.ts';

/** JSON Schema (draft 4) of the parameters. */
export const balanceOptimizerParameters: JsonObject = { type: 'object', properties: searchProperties };
