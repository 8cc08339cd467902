import type { JsonObject } from '#libs/domain';
import { searchProperties } from '../optimizing/parameters.ts';

/** JSON Schema (draft 4) of the parameters. */
export const balanceOptimizerParameters: JsonObject = { type: 'object', properties: searchProperties };
