import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What stays of action plans that are removed by age and number: how many of an audit ended how on which day. */
export class PlanTotals1795219400000 implements MigrationInterface {
  readonly name = 'PlanTotals1795219400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE plan_totals (
        audit_uuid uuid NOT NULL,
        strategy text NOT NULL,
        day date NOT NULL,
        state text NOT NULL,
        plans bigint NOT NULL,
        actions bigint NOT NULL,
        succeeded_actions bigint NOT NULL,
        failed_actions bigint NOT NULL,
        CONSTRAINT pk_plan_totals PRIMARY KEY (audit_uuid, strategy, day, state)
      );
      CREATE INDEX ix_plan_totals_day ON plan_totals (day);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE plan_totals');
  }
}
