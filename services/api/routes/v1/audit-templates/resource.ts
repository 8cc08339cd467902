import type { AuditTemplateView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { goalAndStrategyFilters, goalAndStrategySortKeys } from '../../../collections/goal-filters.ts';
import { commonSortKeys } from '../../../collections/query-arguments.ts';
import { goalOf, strategyOf } from '../../../collections/references.ts';
import type { Extent, ResourceDefinition, ViewContext } from '../../../collections/register-collection.ts';
import { objectLinks } from '../../../http/request/links.ts';
import { timestampsOf } from '../../../http/watcher-text/timestamps.ts';

/** First minor version that shows `default_parameters`. */
const defaultParametersMinor = 7;

/** An audit template as the API shows it. */
export function auditTemplateBody(template: AuditTemplateView, extent: Extent, context: ViewContext): object {
  const { host, minor } = context;
  return {
    uuid: template.uuid,
    name: template.name,
    ...goalOf(template, context),
    ...strategyOf(template, context),
    scope: template.scope,
    ...(extent === 'full' ? { description: template.description, ...timestampsOf(template) } : {}),
    ...(extent === 'full' && minor >= defaultParametersMinor ? { default_parameters: template.defaultParameters } : {}),
    links: objectLinks(host, 'audit_templates', template.uuid),
  };
}

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
