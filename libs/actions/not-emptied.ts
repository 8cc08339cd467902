import { hostEffectOf } from './host-effect.ts';
import type { DoneAction } from './plan-rollback.ts';

/**
 * The actions of an ended plan that disabled a compute service without effect: nothing has enabled it since then, and
 * the plan did not empty its host or did not enable it again as planned. Uses only the states of the actions.
 */
export function notEmptied<Done extends DoneAction>(actions: readonly Done[]): Done[] {
  const effects = actions.map((action) => ({ action, effect: hostEffectOf(action) }));
  return effects.flatMap(({ action, effect }) => {
    if (effect?.kind !== 'service' || effect.enabled || !mayBeInForce(action)) return [];
    const { hostname } = effect;
    const enablings = effects.filter((one) => one.effect?.kind === 'service' && one.effect.enabled);
    const ofHost = enablings.filter((one) => one.effect?.kind === 'service' && one.effect.hostname === hostname);
    if (ofHost.some((one) => one.action.state === 'SUCCEEDED')) return [];
    const isLeft = effects.some(
      (one) => one.effect?.kind === 'move' && one.effect.from === hostname && one.action.state !== 'SUCCEEDED',
    );
    return isLeft || ofHost.length > 0 ? [action] : [];
  });
}

function mayBeInForce({ state, journal, rollbackState, isUndone }: DoneAction): boolean {
  const mayHaveTakenEffect = state === 'SUCCEEDED' || (state === 'FAILED' && journal?.intent.forward !== undefined);
  return mayHaveTakenEffect && rollbackState !== 'SUCCEEDED' && !isUndone;
}
