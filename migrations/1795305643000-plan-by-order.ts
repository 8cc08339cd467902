import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/** Strategies of the releases before that act by order of an operator. */
const strategiesByOrder = [
  'actuator',
  'failed_host_evacuation',
  'host_maintenance',
  'host_return',
  'rolling_maintenance',
  'zone_migration',
];

/**
 * Adds `action_plans.by_order`: whether an operator ordered the plan, so that a host that it disables stays disabled.
 * Older processes leave the default.
 */
export class PlanByOrder1795305643000 implements Migration {
  readonly name = 'PlanByOrder1795305643000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    const names = strategiesByOrder.map((name) => `'${name}'`).join(', ');
    await runner.query(`
      ALTER TABLE action_plans ADD COLUMN by_order boolean NOT NULL DEFAULT false;
      UPDATE action_plans SET by_order = true
        FROM strategies WHERE strategies.id = action_plans.strategy_id AND strategies.name IN (${names})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE action_plans DROP COLUMN by_order');
  }
}
