import { hostEffectOf } from '#libs/actions';
import { type AuditVariants, type CurvePoint, migratingActionTypes } from '#libs/domain';
import type { PlannedAction, ProposedAction, StrategyVariant } from '#libs/plugin-kit';

/** Plans of several sizes, as they are stored and returned to users. */
export interface PlannedVariants {
  /** Includes the migrations for which the planner found room. */
  curve: CurvePoint[];
  /** Sizes of plans, and the parts of each. */
  variants: AuditVariants['variants'];
}

const isMigration = ({ actionType }: Pick<ProposedAction, 'actionType'>) => migratingActionTypes.includes(actionType);

function movesOf(actions: readonly ProposedAction[]): [instance: string, host: string][] {
  return actions.flatMap((action) => {
    const effect = hostEffectOf(action);
    return effect?.kind === 'move' && effect.to !== null ? [[effect.instance, effect.to]] : [];
  });
}

/**
 * Plans each variant separately.
 * @param plan returns the planner's actions for the proposed ones
 * @param durationOf estimates planned actions
 */
export function planVariants(
  variants: readonly StrategyVariant[],
  plan: (variant: StrategyVariant) => readonly PlannedAction[],
  durationOf: (actions: readonly PlannedAction[]) => CurvePoint['duration'],
): PlannedVariants {
  return {
    curve: variants.map((variant) => {
      const { actions: _, ...point } = variant;
      const planned = plan(variant);
      return { ...point, moves: planned.filter(isMigration).length, duration: durationOf(planned) };
    }),
    variants: variants.map(({ budget, actions }) => ({ budget, moves: movesOf(actions) })),
  };
}
