import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type AutomationLevel, automationLevelOf, automationLevels, automationRuleBody } from '#libs/domain';
import type { AuditView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorizedRow } from '../../../collections/register-collection.ts';
import { invalidField } from '../../../http/faults/fault.ts';
import { requireMatch } from '../../../http/request/etag.ts';
import { readOptions } from '../../../http/watcher-text/body-fields.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component, strict, uuid } from '../../../openapi/shared-schemas.ts';
import { knownUser } from '../action-plans/approval/decide-approval.ts';
import { authorizeAutoTrigger, lockAutoTrigger } from './auto-trigger.ts';
import { createAuditResource } from './resource.ts';

type WithIdent = { Params: { ident: string } };
const path = '/v1/audits/:ident/automation';
const docs = { tag: 'audits', params: { ident: 'Uuid or name.' }, response: 'AuditAutomation' };

/** Schema of an automation level. */
export const automationLevelField = Type.Unsafe({
  type: 'integer',
  enum: [...automationLevels],
  description: '0: only reports. 1: proposes. 2: starts plans without risk. 3: starts all plans within the budgets.',
});

/** Components of the OpenAPI document for automation levels. */
export const automationSchemas = [
  Type.Object(
    {
      audit_uuid: uuid('Audit.'),
      level: automationLevelField,
      rule: Type.Object(
        {
          least_gain_points: Type.Optional(
            Type.Number({ description: 'Minimum gain of a quantity in percentage points.' }),
          ),
          least_freed_hosts: Type.Optional(
            Type.Number({ description: 'Minimum number of freed hosts, which count as a gain.' }),
          ),
          highest_share_percent: Type.Optional(
            Type.Number({ description: 'Maximum share of a host by a side effect.' }),
          ),
          may_lose_reserve: Type.Optional(
            Type.Boolean({ description: 'Whether a failure domain may lose its reserve.' }),
          ),
          may_be_irreversible: Type.Optional(Type.Boolean({ description: 'Whether actions may be irreversible.' })),
        },
        { ...strict, description: 'Limits for plans that start automatically, from `VIGIL_AUTOMATION_RULES`.' },
      ),
    },
    { $id: 'AuditAutomation', ...strict },
  ),
  Type.Object({ level: automationLevelField }, { $id: 'AuditAutomationChange', ...strict }),
];

/** @throws ApiFault 400 for anything but a level. */
export function readLevel(field: string, given: unknown): AutomationLevel {
  const level = automationLevels.find((known) => known === given);
  if (level === undefined) throw invalidField(field, given, `Value should be one of: ${automationLevels.join(', ')}`);
  return level;
}

/** How far an audit acts without a person: its level and the rule of that level. */
export function registerAuditAutomation(app: FastifyInstance, deps: RouteDeps): void {
  const audits = createAuditResource(deps);
  const bodyOf = (audit: AuditView) => {
    const level = automationLevelOf(audit);
    return { audit_uuid: audit.uuid, level, rule: automationRuleBody(deps.automationRules(), level) };
  };
  const readSchema = describe({
    ...docs,
    operationId: 'get_audit_automation',
    summary: 'Automation level of the audit and the rule of that level (extension)',
    refusals: [404],
  });
  app.get<WithIdent>(path, { schema: readSchema }, async (request) =>
    bodyOf(await authorizedRow(deps, audits, request, 'audit:get')),
  );
  const changeSchema = describe({
    ...docs,
    operationId: 'change_audit_automation',
    summary: 'Change the automation level; levels 2 and 3 set auto_trigger, the others remove it (extension)',
    body: component('AuditAutomationChange'),
    refusals: [404, 412, 415],
  });
  app.patch<WithIdent>(path, { schema: changeSchema }, async (request) => {
    const { uuid: auditUuid } = await authorizedRow(deps, audits, request, 'audit:update');
    const level = readLevel('level', readOptions(request, ['level'], 'automation').level);
    const autoTrigger = level >= 2;
    const owner = autoTrigger ? authorizeAutoTrigger(deps.policy, request) : {};
    return deps.store.transaction(async (unit) => {
      await requireMatch(request, unit, auditUuid, () => unit.audits.get(auditUuid));
      await lockAutoTrigger(unit, auditUuid);
      const before = await unit.audits.get(auditUuid);
      const set = { automationLevel: level, autoTrigger, requester: knownUser(request.caller), ...owner };
      const changed = await unit.audits.update(auditUuid, set);
      request.auditChange = { before: bodyOf(before), after: bodyOf(changed) };
      return bodyOf(changed);
    });
  });
}
