import type { JsonObject } from '#libs/domain';
import {
  type ConsolidationParameters,
  consolidationProperties,
  type SearchParameters,
  searchProperties,
} from '../optimizing/parameters.ts';

/** Parameters of `placement_optimizer`. */
export type PlacementOptimizerParameters = SearchParameters &
  ConsolidationParameters & {
    /** What is aimed at once nothing is broken or at risk, default `balance`. */
    preset: 'balance' | 'consolidate' | 'repair_only';
  };

/** JSON Schema (draft 4) of the parameters. */
export const placementOptimizerParameters: JsonObject = {
  type: 'object',
  properties: {
    preset: {
      description:
        'The aim: balance spreads CPU load and memory, consolidate frees hosts, repair_only stops when nothing is broken and no host is hot.',
      type: 'string',
      enum: ['balance', 'consolidate', 'repair_only'],
      default: 'balance',
    },
    ...searchProperties,
    ...consolidationProperties,
  },
};
