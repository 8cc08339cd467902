import type { JsonObject } from '#libs/domain';
import type { StrategyManifest } from '#libs/plugin-kit';

/** Default parameters of strategies from the configuration of the decision engine. */
export interface SiteDefaults {
  /** Most migrations in a plan. Default 0: no limit. */
  migrationBudget?: number;
  /** Hosts of every failure domain that may fail at the same time. Default 1, as in the strategies. */
  failureReserve?: number;
}

/** The parameters of an audit, with the defaults of the configuration for the parameters that the strategy has. */
export function withSiteDefaults(
  { parameters }: StrategyManifest,
  given: JsonObject,
  { migrationBudget = 0, failureReserve = 1 }: SiteDefaults,
): JsonObject {
  const known = (parameters.properties ?? {}) as JsonObject;
  const defaults = {
    ...(migrationBudget > 0 ? { migration_budget: migrationBudget } : {}),
    ...(failureReserve === 1 ? {} : { failure_reserve: failureReserve }),
  };
  const used = Object.entries(defaults).filter(([name]) => known[name] !== undefined);
  return { ...Object.fromEntries(used), ...given };
}
