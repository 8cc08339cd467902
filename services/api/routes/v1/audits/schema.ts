import { Type } from 'typebox';
import { auditStates, auditTypes } from '#libs/domain';
import {
  component,
  freeObject,
  linksSchema,
  nullableText,
  nullableUuid,
  optionalText,
  resourceSchemas,
  timestampFields,
  uuid,
  words,
} from '../../../openapi/shared-schemas.ts';
import { automationLevelField, automationSchemas } from './automation-routes.ts';
import { previewSchemas } from './preview-schemas.ts';

const listFields = {
  uuid: uuid('Identifier.'),
  name: Type.String({ description: 'Unique name, at most 63 characters.' }),
  audit_type: words(auditTypes, 'Recurrence of the audit.'),
  state: words(auditStates, 'Life cycle.'),
  goal_uuid: nullableUuid('Goal.'),
  goal_name: nullableText('Name of the goal.'),
  strategy_uuid: nullableUuid('Strategy; null: selected by the service.'),
  strategy_name: nullableText('Name of the strategy.'),
  interval: nullableText('Seconds or cron expression of a CONTINUOUS audit.'),
  scope: Type.Array(freeObject('Rules for one model.')),
  auto_trigger: Type.Boolean({ description: 'Start the action plan automatically.' }),
  next_run_time: nullableText('ISO 8601 without offset, UTC.'),
  force: Type.Boolean({ description: 'Run although an action plan is ongoing; real value from 1.2 on.' }),
  links: linksSchema,
};
const allFields = {
  ...listFields,
  parameters: freeObject('Parameters of the strategy, defaults filled in.'),
  hostname: nullableText('Host of the decision engine that runs or ran the audit.'),
  start_time: Type.Optional(nullableText('ISO 8601 without offset, UTC; from 1.1 on.')),
  end_time: Type.Optional(nullableText('ISO 8601 without offset, UTC; from 1.1 on.')),
  status_message: Type.Optional(nullableText('Reason of the state; from 1.5 on.')),
  ...timestampFields,
};

/** Components of the OpenAPI document for audits. */
export const auditSchemas = [
  ...resourceSchemas('Audit', 'audits', listFields, allFields),
  Type.Object(
    {
      audit_type: words(auditTypes, 'Recurrence of the audit.'),
      audit_template_uuid: optionalText('Template with goal, strategy, scope and parameters, instead of `goal`.'),
      goal: optionalText('Uuid or name; instead of a template.'),
      strategy: optionalText('Uuid or name.'),
      name: optionalText('Name; generated if absent, cut to 63 characters.'),
      parameters: Type.Optional(Type.Unsafe({ type: ['object', 'null'], additionalProperties: true })),
      interval: optionalText('Seconds or cron expression; for CONTINUOUS.'),
      auto_trigger: Type.Optional(Type.Boolean({ default: false })),
      start_time: optionalText('ISO 8601; the server’s local time unless it has an offset; from 1.1 on.'),
      end_time: optionalText('ISO 8601; the server’s local time unless it has an offset; from 1.1 on.'),
      force: Type.Optional(Type.Boolean({ default: false })),
      automation_level: Type.Optional(automationLevelField),
    },
    { $id: 'AuditCreate', additionalProperties: false },
  ),
  Type.Object(
    {
      audit_uuid: uuid('Audit.'),
      report: Type.Unsafe({
        anyOf: [component('RunReport'), { type: 'null' }],
        description: 'Report of the last run: considered, blocked and measured; null before the first run.',
      }),
    },
    { $id: 'AuditReport', additionalProperties: false },
  ),
  ...automationSchemas,
  ...previewSchemas,
];
