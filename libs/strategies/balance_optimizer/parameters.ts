import type { JsonObject } from '#libs/domain';
import { type SearchParameters, searchProperties } from '../search-based/parameters.ts';

/** Parameters of `balance_optimizer`. */
export type BalanceOptimizerParameters = SearchParameters & {
  /** Aim when no rule is broken, default `relief`. */
  preset: 'relief' | 'even';
};

/** JSON Schema (draft 4) of the parameters. */
export const balanceOptimizerParameters: JsonObject = {
  type: 'object',
  'x-aim': 'spread',
  'x-merges': true,
  properties: {
    preset: {
      'x-texts': { de: { title: 'Vorgabe', values: { relief: 'Entlasten', even: 'Gleichmäßig verteilen' } } },
      description:
        'The aim: relief only moves instances off hosts above their hot limit, and repairs broken rules. even ' +
        'spreads CPU load and memory over all hosts, whether or not one is near a limit, and reports the cost.',
      type: 'string',
      enum: ['relief', 'even'],
      default: 'relief',
    },
    ...searchProperties,
  },
};
