import { hostEffectOf } from '#libs/actions';
import type { AuditVariants, CurvePoint } from '#libs/domain';
import type { ProposedAction, StrategyVariant } from '#libs/plugin-kit';

/** Plans of several sizes as they go to people and into the store. */
export interface PlannedVariants {
  /** With the migrations that the planner has found room for. */
  curve: CurvePoint[];
  /** Sizes of plans, and the parts of each. */
  variants: AuditVariants['variants'];
}

const isMigration = ({ actionType }: Pick<ProposedAction, 'actionType'>) => actionType === 'migrate';

function movesOf(actions: readonly ProposedAction[]): [instance: string, host: string][] {
  return actions.flatMap((action) => {
    const effect = hostEffectOf(action);
    return effect?.kind === 'move' && effect.to !== null ? [[effect.instance, effect.to]] : [];
  });
}

/** Plans each variant separately. `plan` returns the planner's actions for the proposed ones. */
export function planVariants(
  variants: readonly StrategyVariant[],
  plan: (variant: StrategyVariant) => readonly Pick<ProposedAction, 'actionType'>[],
): PlannedVariants {
  return {
    curve: variants.map((variant) => {
      const { actions: _, ...point } = variant;
      return { ...point, moves: plan(variant).filter(isMigration).length };
    }),
    variants: variants.map(({ budget, actions }) => ({ budget, moves: movesOf(actions) })),
  };
}
