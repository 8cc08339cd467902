import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Plans of other sizes that the last run of an audit found, and what each plan was to achieve when it was made. */
export class PlanVariants1795219460000 implements MigrationInterface {
  readonly name = 'PlanVariants1795219460000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_variants (
        audit_id bigint NOT NULL CONSTRAINT fk_audit_variants_audit_id REFERENCES audits (id),
        doc jsonb NOT NULL,
        CONSTRAINT pk_audit_variants PRIMARY KEY (audit_id)
      );
      CREATE TABLE plan_objectives (
        plan_id bigint NOT NULL CONSTRAINT fk_plan_objectives_plan_id REFERENCES action_plans (id),
        doc jsonb NOT NULL,
        CONSTRAINT pk_plan_objectives PRIMARY KEY (plan_id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE plan_objectives; DROP TABLE audit_variants');
  }
}
