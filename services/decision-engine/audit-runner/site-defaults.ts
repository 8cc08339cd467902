import type { JsonObject } from '#libs/domain';
import type { StrategyManifest } from '#libs/plugin-kit';

/** Default parameters of strategies from the configuration of the decision engine. */
export interface SiteDefaults {
  /** Most migrations in a plan. Default 0: no limit. */
  migrationBudget?: number;
  /** Hosts of every failure domain that may fail at the same time. Default 1, as in the strategies. */
  failureReserve?: number;
}

/**
 * The parameters of an audit, with the defaults of the configuration for the parameters that the strategy has: by the
 * usual name of the parameter, or by the setting that its schema names in `x-setting`.
 */
export function withSiteDefaults(
  { parameters }: StrategyManifest,
  given: JsonObject,
  { migrationBudget = 0, failureReserve = 1 }: SiteDefaults,
): JsonObject {
  const known = (parameters.properties ?? {}) as Record<string, JsonObject>;
  const defaults = [
    ...(migrationBudget > 0 ? [['VIGIL_PLAN_MIGRATION_BUDGET', 'migration_budget', migrationBudget] as const] : []),
    ...(failureReserve === 1 ? [] : [['VIGIL_FAILURE_RESERVE', 'failure_reserve', failureReserve] as const]),
  ];
  const used = Object.entries(known).flatMap(([name, schema]) =>
    defaults.flatMap(([setting, usual, value]) =>
      name === usual || schema['x-setting'] === setting ? [[name, value] as const] : [],
    ),
  );
  return { ...Object.fromEntries(used), ...given };
}
