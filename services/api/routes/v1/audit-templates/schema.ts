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
  description: 'Part of the cloud that audits cover; empty: the whole cloud.',
});

const listFields = {
  uuid: uuid('Identifier.'),
  name: Type.String({ description: 'Unique name, at most 63 characters.' }),
  goal_uuid: nullableUuid('Goal.'),
  goal_name: nullableText('Name of the goal.'),
  strategy_uuid: nullableUuid('Strategy; null: selected by the service.'),
  strategy_name: nullableText('Name of the strategy.'),
  scope,
  links: linksSchema,
};
const allFields = {
  ...listFields,
  description: nullableText('Description.'),
  default_parameters: Type.Optional(freeObject('Parameters that audits inherit; from 1.7 on.')),
  ...timestampFields,
};

/** Components of the OpenAPI document for audit templates. */
export const auditTemplateSchemas = [
  { ...scopeRule, $id: 'ScopeRule', description: 'Part of the cloud to which a model is limited.' },
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
