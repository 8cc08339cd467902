import type { JsonObject } from '#libs/domain';
import { type ConsolidationParameters, consolidationProperties } from '../search-based/parameters.ts';

/** Parameters of `consolidation_optimizer`. */
export type ConsolidationOptimizerParameters = Omit<ConsolidationParameters, 'max_moves'> & {
  /** Maximum migrations in the plan; 0: no limit. Default: {@link defaultMaxMoves}. */
  max_moves?: number;
};

const { default: _default, ...maxMoves } = consolidationProperties.max_moves as JsonObject;

/** JSON Schema (draft 4) of the parameters. */
export const consolidationOptimizerParameters: JsonObject = {
  type: 'object',
  'x-aim': 'pack',
  'x-merges': true,
  properties: {
    ...consolidationProperties,
    max_moves: {
      ...maxMoves,
      description:
        'Maximum migrations in the plan; 0: no limit. Default: 50, or 20 % of the enabled hosts when that is more. ' +
        'The smaller of this and the budget of the engine applies.',
    },
  },
};

/**
 * Default of `max_moves`: a fifth of the enabled hosts, at least 50. With 50 alone, a cloud of 800 hosts stays on for
 * hours that its instances do not need: a day of PlanetLab's traces costs 10 % more energy.
 */
export function defaultMaxMoves(enabledHosts: number): number {
  return Math.max(50, Math.ceil(enabledHosts / 5));
}
