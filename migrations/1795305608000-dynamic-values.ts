import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Cached dynamic properties. They need not survive a crash, so both tables are unlogged. A change of an entity
 * appends an invalidation in the same transaction. It only inserts, so writers never wait for readers or for each
 * other. A value is valid while no further invalidation has become visible since before its load.
 */
export class DynamicValues1795305608000 implements Migration {
  readonly name = 'DynamicValues1795305608000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE dynamic_values (
        kind text NOT NULL,
        entity_id text NOT NULL,
        name text NOT NULL,
        value_id uuid,
        value text,
        mark text,
        loaded_at timestamptz,
        expires_at timestamptz,
        stale_until timestamptz,
        error text,
        error_code text,
        error_mark text,
        error_until timestamptz,
        lock_owner uuid,
        lock_until timestamptz,
        touched_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_dynamic_values PRIMARY KEY (kind, entity_id, name)
      );
      CREATE INDEX ix_dynamic_values_touched_at ON dynamic_values (touched_at);

      CREATE UNLOGGED TABLE dynamic_invalidations (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_dynamic_invalidations PRIMARY KEY,
        kind text NOT NULL,
        entity_id text NOT NULL,
        name text,
        token bigint NOT NULL,
        at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX ix_dynamic_invalidations_entity ON dynamic_invalidations (kind, entity_id);
      CREATE INDEX ix_dynamic_invalidations_at ON dynamic_invalidations (at);

      -- Unlogged sequences can be unreadable after a crash or a fail-over; nothing could be inserted then.
      ALTER SEQUENCE dynamic_invalidations_id_seq SET LOGGED;
    `);
    await runner.query(invalidations);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER change_log_dynamic ON change_log;
      DROP FUNCTION invalidate_dynamic_values();
      DROP TABLE dynamic_invalidations, dynamic_values;
    `);
  }
}

/** A change of an entity invalidates its values. One of an action those of its plan as well. */
export const invalidations = `
      CREATE FUNCTION invalidate_dynamic_values() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO dynamic_invalidations (kind, entity_id, token)
        SELECT kind, entity_uuid, (random() * 1e15)::bigint FROM logged;
        INSERT INTO dynamic_invalidations (kind, entity_id, token)
        SELECT 'action_plan', plan.uuid::text, (random() * 1e15)::bigint FROM action_plans AS plan
        WHERE plan.id IN (SELECT (doc ->> 'action_plan_id')::bigint FROM logged WHERE kind = 'action' AND doc IS NOT NULL);
        RETURN NULL;
      END $$;
      CREATE TRIGGER change_log_dynamic AFTER INSERT ON change_log REFERENCING NEW TABLE AS logged
        FOR EACH STATEMENT EXECUTE FUNCTION invalidate_dynamic_values();
`;
