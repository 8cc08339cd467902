import { createHash } from 'node:crypto';

/**
 * Statements that leave 10,000 audits that ended, and 20 plans of 2,000 migrations each of which the second half waits
 * for the first. Triggers are off: a page that opens later reads the rows without notifications.
 */
export const seedLists = `
  BEGIN;
  SET LOCAL session_replication_role = replica;
  CREATE TEMPORARY TABLE seeded ON COMMIT DROP AS
    SELECT id AS strategy_id, goal_id FROM strategies WHERE deleted = 0 ORDER BY id LIMIT 1;
  INSERT INTO audits (uuid, name, audit_type, state, goal_id, strategy_id, created_at)
    SELECT md5('audit ' || n)::uuid, 'seeded ' || n, 'ONESHOT', (ARRAY['SUCCEEDED', 'FAILED', 'CANCELLED'])[1 + n % 3],
      goal_id, strategy_id, now() - n * interval '1 minute'
    FROM generate_series(1, 10000) AS n, seeded;
  INSERT INTO action_plans (uuid, audit_id, strategy_id, state, created_at)
    SELECT md5('plan ' || n)::uuid, audits.id, seeded.strategy_id, 'SUCCEEDED', now() - n * interval '1 minute'
    FROM generate_series(1, 20) AS n, seeded, audits WHERE audits.uuid = md5('audit ' || n)::uuid;
  INSERT INTO actions (uuid, action_plan_id, action_type, state, parents, input_parameters)
    SELECT md5(plan.uuid::text || n)::uuid, plan.id, 'migrate', CASE WHEN n % 100 = 0 THEN 'FAILED' ELSE 'SUCCEEDED' END,
      CASE WHEN n > 1000 THEN jsonb_build_array(md5(plan.uuid::text || (n - 1000))::uuid) ELSE '[]' END,
      jsonb_build_object('migration_type', 'live', 'resource_id', md5('instance ' || n)::uuid, 'resource_name', 'instance-' || n,
        'source_node', 'host-' || n % 25, 'destination_node', 'host-' || 25 + n % 5)
    FROM action_plans AS plan, generate_series(1, 2000) AS n
    WHERE plan.uuid IN (SELECT md5('plan ' || each)::uuid FROM generate_series(1, 20) AS each);
  ANALYZE audits, action_plans, actions;
  COMMIT;`;

/** Uuid of one of the plans, as the statements make it. */
export const seededPlan = createHash('md5')
  .update('plan 1')
  .digest('hex')
  .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
