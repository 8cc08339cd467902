import { Type } from 'typebox';
import {
  component,
  freeObject,
  linksSchema,
  nullableText,
  nullableUuid,
  resourceSchemas,
  timestampFields,
  uuid,
} from '../../../openapi/shared-schemas.ts';
import { scopeRule } from './scope.ts';

const scope = Type.Array(freeObject('Rules for one model: `compute` or `storage`.'), {
  description: 'Part of the cloud that audits cover; empty for all of it.',
});

const listFields = {
  uuid: uuid('Identifier.'),
  name: Type.String({ description: 'Unique name, at most 63 characters.' }),
  goal_uuid: nullableUuid('Goal.'),
  goal_name: nullableText('Name of the goal.'),
  strategy_uuid: nullableUuid('Strategy; null when the service is to choose.'),
  strategy_name: nullableText('Name of the strategy.'),
  scope,
  links: linksSchema,
};
const allFields = {
  ...listFields,
  description: nullableText('For people.'),
  default_parameters: Type.Optional(freeObject('Parameters that audits inherit; from 1.7 on.')),
  ...timestampFields,
};

/** Components of the OpenAPI document for audit templates. */
export const auditTemplateSchemas = [
  { ...scopeRule, $id: 'ScopeRule', description: 'Part of the cloud that one model is cut down to.' },
  ...resourceSchemas('AuditTemplate', 'audit_templates', listFields, allFields),
  Type.Object(
    {
      name: Type.String({ maxLength: 63 }),
      goal: Type.String({ description: 'Uuid or name.' }),
      description: Type.Optional(nullableText('At most 255 characters.')),
      strategy: Type.Optional(nullableText('Uuid or name of a strategy of the goal.')),
      scope: Type.Optional(Type.Unsafe({ type: ['array', 'null'], items: component('ScopeRule') })),
      default_parameters: Type.Optional(Type.Unsafe({ type: ['object', 'null'], additionalProperties: true })),
    },
    { $id: 'AuditTemplateCreate', additionalProperties: false },
  ),
];
