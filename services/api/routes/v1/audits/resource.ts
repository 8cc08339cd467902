import type { AuditView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { goalAndStrategyFilters, goalAndStrategySortKeys } from '../../../collections/goal-filters.ts';
import { commonSortKeys } from '../../../collections/query-arguments.ts';
import type { ResourceDefinition } from '../../../collections/register-collection.ts';
import { auditBody } from '../../../views/audit-body.ts';

/** How audits are found, listed and shown. */
export function createAuditResource(deps: RouteDeps): ResourceDefinition<AuditView> {
  const { store } = deps;
  return {
    rules: {
      name: 'audits',
      entity: 'Audit',
      sortKeys: {
        ...commonSortKeys,
        name: 'name',
        audit_type: 'auditType',
        state: 'state',
        parameters: 'parameters',
        interval: 'interval',
        scope: 'scope',
        goal_id: 'goalId',
        strategy_id: 'strategyId',
        auto_trigger: 'autoTrigger',
        next_run_time: 'nextRunTime',
        hostname: 'hostname',
        start_time: 'startTime',
        end_time: 'endTime',
        force: 'force',
        status_message: 'statusMessage',
        ...goalAndStrategySortKeys,
      },
      filterArguments: ['goal', 'strategy'],
      markerForm: 'uuid',
    },
    singular: 'audit',
    schema: 'Audit',
    reader: store.db.audits,
    filters: (query) => goalAndStrategyFilters(store, query),
    serialize: async (rows, extent, context) => rows.map((row) => auditBody(row, extent, context)),
    identOf: (row) => row.uuid,
  };
}
