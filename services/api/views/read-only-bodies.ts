import type { Goal, ScoringEngine } from '#libs/domain';
import type { ServiceView, StrategyView } from '#libs/store';
import { objectLinks } from '../http/request/links.ts';
import { naiveTimestamp, timestampsOf } from '../http/watcher-text/timestamps.ts';
import { goalOf } from './references.ts';
import type { Extent, ViewContext } from './view-context.ts';

/** A goal as the API shows it. */
export function goalBody(goal: Goal, extent: Extent, { host }: ViewContext): object {
  return {
    uuid: goal.uuid,
    name: goal.name,
    display_name: goal.displayName,
    efficacy_specification: goal.efficacySpecification,
    links: objectLinks(host, 'goals', goal.uuid),
    ...(extent === 'full' ? timestampsOf(goal) : {}),
  };
}

/** A strategy as the API shows it. Never has timestamps. */
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

/** A scoring engine as the API shows it. Never has timestamps. */
export function scoringEngineBody(engine: ScoringEngine, extent: Extent, { host }: ViewContext): object {
  return {
    uuid: engine.uuid,
    name: engine.name,
    description: engine.description,
    ...(extent === 'full' ? { metainfo: engine.metainfo } : {}),
    links: objectLinks(host, 'scoring_engines', engine.uuid),
  };
}

/** A service of the deployment as the API shows it. */
export function serviceBody(service: ServiceView, extent: Extent, { host }: ViewContext): object {
  return {
    id: service.id,
    name: service.name,
    host: service.host,
    status: service.status,
    ...(extent === 'full' ? { last_seen_up: naiveTimestamp(service.lastSeenUp), ...timestampsOf(service) } : {}),
    links: objectLinks(host, 'services', service.id),
  };
}
