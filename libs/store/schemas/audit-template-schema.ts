import { EntitySchema } from 'typeorm';
import type { AuditTemplate } from '#libs/domain';
import { baseColumns, indexOn, json, jsonb, reference, text, uniqueLiveName, uniqueUuid } from './columns.ts';

/** Table `audit_templates`. */
export const auditTemplateSchema = new EntitySchema<AuditTemplate>({
  name: 'AuditTemplate',
  tableName: 'audit_templates',
  columns: {
    ...baseColumns('audit_templates'),
    name: text('name'),
    description: text('description', { nullable: true }),
    goalId: reference('audit_templates', 'goal_id', 'Goal'),
    strategyId: reference('audit_templates', 'strategy_id', 'Strategy', { nullable: true }),
    scope: jsonb('scope', { default: [] }),
    defaultParameters: json('default_parameters', { default: {} }),
  },
  indices: [
    uniqueUuid('audit_templates'),
    uniqueLiveName('audit_templates'),
    indexOn('audit_templates', 'goal_id', 'goalId'),
    indexOn('audit_templates', 'strategy_id', 'strategyId'),
  ],
});
