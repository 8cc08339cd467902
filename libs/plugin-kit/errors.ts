import { VigilError } from '#libs/domain';

/**
 * A strategy returned something that breaks its contract, such as a missing required indicator. The plugin is at fault.
 */
export class InvalidStrategyResultError extends VigilError {
  readonly code = 'invalid_strategy_result';
  readonly category = 'permanent';
  readonly field: string;

  constructor(strategy: string, field: string, reason: string) {
    super(`strategy ${strategy} returned an unusable result: ${field}: ${reason}`);
    this.field = field;
  }
}

/** A goal or planner failed, or returned something that breaks its contract. The plugin is at fault. */
export class InvalidPluginResultError extends VigilError {
  readonly code = 'invalid_plugin_result';
  readonly category = 'permanent';

  constructor(plugin: string, reason: string, options?: ErrorOptions) {
    super(`${plugin} ${reason}`, options);
  }
}
