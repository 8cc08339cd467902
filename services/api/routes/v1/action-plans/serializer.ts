import type { EfficacyIndicator } from '#libs/domain';
import type { ActionPlanView } from '#libs/store';
import type { References } from '../../../collections/references.ts';
import type { Extent, ViewContext } from '../../../collections/register-collection.ts';
import { objectLinks } from '../../../http/links.ts';
import { timestamp } from '../../../http/timestamps.ts';

/** What a plan refers to, loaded for a whole page. */
export interface PlanRelations {
  references: References;
  /** Uuids of the audits that may be shown. */
  audits: ReadonlySet<string>;
  indicators: ReadonlyMap<number, EfficacyIndicator[]>;
}

/** An action plan as the API shows it. */
export function actionPlanBody(
  plan: ActionPlanView,
  relations: PlanRelations,
  extent: Extent,
  { host, minor }: ViewContext,
): object {
  const indicators = relations.indicators.get(plan.id) ?? [];
  return {
    uuid: plan.uuid,
    audit_uuid: relations.audits.has(plan.auditUuid) ? plan.auditUuid : null,
    ...relations.references.strategyOf(plan),
    state: plan.state,
    efficacy_indicators: indicators.map(({ name, description, unit, value }) => ({ name, description, unit, value })),
    global_efficacy: plan.globalEfficacy,
    updated_at: timestamp(plan.updatedAt),
    ...(extent === 'full' ? fullFields(plan, minor) : {}),
    links: objectLinks(host, 'action_plans', plan.uuid),
  };
}

function fullFields(plan: ActionPlanView, minor: number): object {
  return {
    hostname: plan.hostname,
    ...(minor >= 5 ? { status_message: plan.statusMessage } : {}),
    created_at: timestamp(plan.createdAt),
    deleted_at: timestamp(plan.deletedAt),
  };
}
