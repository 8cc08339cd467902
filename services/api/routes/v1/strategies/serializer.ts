import type { StrategyView } from '#libs/store';
import { goalOf } from '../../../collections/references.ts';
import type { Extent, ViewContext } from '../../../collections/register-collection.ts';
import { objectLinks } from '../../../http/links.ts';

/** A strategy as the API shows it; never has timestamps. */
export function strategyBody(strategy: StrategyView, extent: Extent, context: ViewContext): object {
  return {
    uuid: strategy.uuid,
    name: strategy.name,
    display_name: strategy.displayName,
    ...goalOf(strategy, context),
    ...(extent === 'full' ? { parameters_spec: strategy.parametersSpec } : {}),
    links: objectLinks(context.host, 'strategies', strategy.uuid),
  };
}
