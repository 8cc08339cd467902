import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/** Rules of the operator on where instances may be. */
export class PlacementRules1795305611000 implements Migration {
  readonly name = 'PlacementRules1795305611000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${placementRules}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE placement_rules;
    `);
  }
}

/** The table with its triggers. */
export const placementRules = `CREATE TABLE placement_rules (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_placement_rules PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0,
        uuid uuid NOT NULL,
        name text NOT NULL,
        description text,
        kind text NOT NULL,
        instances jsonb NOT NULL,
        hosts jsonb,
        strict boolean NOT NULL,
        max_per_host integer,
        enabled boolean NOT NULL
      );
      CREATE UNIQUE INDEX uq_placement_rules_uuid ON placement_rules (uuid);
      CREATE UNIQUE INDEX uq_placement_rules_name ON placement_rules (name) WHERE deleted = 0;

      CREATE TRIGGER placement_rules_touch BEFORE UPDATE ON placement_rules FOR EACH ROW EXECUTE FUNCTION touch_row();
      CREATE TRIGGER placement_rules_change AFTER INSERT OR UPDATE OR DELETE ON placement_rules
        FOR EACH ROW EXECUTE FUNCTION record_change('placement_rule', 'uuid');`;
