import { actionPlanSchema, efficacyIndicatorSchema } from './action-plan-schema.ts';
import { actionSchema } from './action-schema.ts';
import { auditSchema } from './audit-schema.ts';
import {
  auditTemplateSchema,
  goalSchema,
  placementRuleSchema,
  scoringEngineSchema,
  serviceSchema,
  strategySchema,
} from './catalogue-schemas.ts';
import { loadedPluginSchema, pluginFaultSchema } from './loaded-plugin-schema.ts';

/** The tables that TypeORM reads or writes. All others use SQL. */
export const allSchemas = [
  goalSchema,
  strategySchema,
  auditTemplateSchema,
  auditSchema,
  actionPlanSchema,
  actionSchema,
  efficacyIndicatorSchema,
  scoringEngineSchema,
  serviceSchema,
  placementRuleSchema,
  pluginFaultSchema,
  loadedPluginSchema,
];
