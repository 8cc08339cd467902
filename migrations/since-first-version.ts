import { besidePlans } from './1795305600000-entities.ts';
import { planTotals } from './1795305601000-plan-runs.ts';
import { actionChanges } from './1795305602000-change-log.ts';
import { invalidations } from './1795305608000-dynamic-values.ts';
import { placementRules } from './1795305611000-placement-rules.ts';
import { storeLineage } from './1795305613000-store-identity.ts';

const tracedTables = ['audits', 'action_plans', 'outbox', 'bus_messages', 'bus_dead_letters'];

/** Makes the schema of 0.1.0 the one that the migrations make. */
export const sinceFirstVersion = `
  ${planTotals}
  ${storeLineage}
  DROP INDEX uq_action_plans_open_rollback;
  CREATE UNIQUE INDEX uq_action_plans_open_rollback ON action_plans (rolls_back)
    WHERE deleted = 0 AND state IN ('RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED');
  ALTER TABLE dashboard_sessions ADD COLUMN ends_at timestamptz NOT NULL DEFAULT now() + interval '12 hours';
  UPDATE dashboard_sessions SET ends_at = expires_at;
  ${besidePlans}
  ${placementRules}
  CREATE INDEX ix_actions_input_parameters ON actions USING gin (input_parameters jsonb_path_ops);
  ${tracedTables.map((table) => `ALTER TABLE ${table} ADD COLUMN traceparent text;`).join('\n  ')}
  DROP TRIGGER actions_touch ON actions;
  DROP TRIGGER actions_change ON actions;
  ${actionChanges}
  DROP TRIGGER change_log_dynamic ON change_log;
  DROP FUNCTION invalidate_dynamic_values();
  ${invalidations}
`;
