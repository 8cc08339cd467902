import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Hosts before and after an action plan, as they were when it was made. */
export class PlanHosts1795219440000 implements MigrationInterface {
  readonly name = 'PlanHosts1795219440000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE plan_hosts (
        plan_id bigint NOT NULL CONSTRAINT fk_plan_hosts_plan_id REFERENCES action_plans (id),
        doc jsonb NOT NULL,
        CONSTRAINT pk_plan_hosts PRIMARY KEY (plan_id)
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE plan_hosts');
  }
}
