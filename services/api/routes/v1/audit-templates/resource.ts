import type { AuditTemplateView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { goalAndStrategyFilters, goalAndStrategySortKeys } from '../../../collections/goal-filters.ts';
import { commonSortKeys } from '../../../collections/query-arguments.ts';
import type { ResourceDefinition } from '../../../collections/register-collection.ts';
import { auditTemplateBody } from '../../../views/audit-template-body.ts';

/** How audit templates are found, listed and shown. */
export function createAuditTemplateResource(deps: RouteDeps): ResourceDefinition<AuditTemplateView> {
  const { store } = deps;
  return {
    rules: {
      name: 'audit_templates',
      entity: 'AuditTemplate',
      sortKeys: {
        ...commonSortKeys,
        name: 'name',
        description: 'description',
        scope: 'scope',
        default_parameters: 'defaultParameters',
        goal_id: 'goalId',
        strategy_id: 'strategyId',
        ...goalAndStrategySortKeys,
      },
      filterArguments: ['goal', 'strategy'],
      markerForm: 'uuid',
    },
    singular: 'audit_template',
    schema: 'AuditTemplate',
    reader: store.db.auditTemplates,
    filters: (query) => goalAndStrategyFilters(store, query),
    serialize: async (rows, extent, context) => rows.map((row) => auditTemplateBody(row, extent, context)),
    identOf: (row) => row.uuid,
  };
}
