import type { StrategyView } from '#libs/store';
import type { Extent, ViewContext } from '../../../collections/register-collection.ts';
import { objectLinks } from '../../../http/links.ts';

/** A strategy as the API shows it; `goals` are the uuids of the goals that may be shown. Never has timestamps. */
export function strategyBody(
  strategy: StrategyView,
  goals: ReadonlySet<string>,
  extent: Extent,
  { host }: ViewContext,
): object {
  const hasGoal = goals.has(strategy.goalUuid);
  return {
    uuid: strategy.uuid,
    name: strategy.name,
    display_name: strategy.displayName,
    goal_uuid: hasGoal ? strategy.goalUuid : null,
    goal_name: hasGoal ? strategy.goalName : null,
    ...(extent === 'full' ? { parameters_spec: strategy.parametersSpec } : {}),
    links: objectLinks(host, 'strategies', strategy.uuid),
  };
}
