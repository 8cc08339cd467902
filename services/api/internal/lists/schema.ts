import { Type } from 'typebox';
import { hostQuantities } from '#libs/domain';
import { durationFields } from '../../durations/duration-schema.ts';
import { improvementsField, reserveChangesField, sideEffectsField } from '../../openapi/host-schemas.ts';
import {
  component,
  count,
  nullableCount,
  nullableNumber,
  nullableText,
  nullableUuid,
  strict,
  uuid,
  words,
} from '../../openapi/shared-schemas.ts';
import { approvalStateField } from '../../routes/v1/action-plans/approval/approval-schemas.ts';

const total = count('Total number of rows.');

/** Components of the routes of lists. */
export const listSchemas = [
  Type.Object(durationFields, { $id: 'PlanDuration', ...strict }),
  Type.Object(
    {
      name: Type.String({ description: 'Name of the indicator, such as `standard_deviation_after_audit`.' }),
      unit: nullableText('Unit of the value.'),
      value: nullableNumber('Predicted for the plan.'),
    },
    { $id: 'HeadlineIndicator', ...strict },
  ),
  Type.Object(
    {
      live_migrations: count('Number of live migrations.'),
      cold_migrations: count('Number of cold migrations.'),
      volume_moves: count('Number of volume migrations.'),
      other_actions: count('All other actions.'),
      memory: nullableNumber('Memory of the moved instances in MiB; null if not stored.'),
      hosts_freed: nullableCount('Hosts freed by the plan; null if not stored.'),
      side_effects: sideEffectsField,
      improvements: improvementsField,
      reserve_changes: reserveChangesField,
      indicators: Type.Array(component('HeadlineIndicator'), { description: 'Expected gain of the plan.' }),
      duration: component('PlanDuration'),
      rollback: Type.Unsafe({
        type: ['string', 'null'],
        enum: ['exact', 'best-effort', 'impossible', null],
        description: 'Reversibility; null if no applier has reported it.',
      }),
      gap: nullableNumber('Gap to the bound, as a fraction of the possible gain; only for search-based strategies.'),
      made_by: nullableText('User who requested the audit; null if unknown or not visible to the caller.'),
      started_by: nullableText('User who started the plan; null as `made_by`, and without a user.'),
      started_at: nullableText('Start time, ISO 8601.'),
    },
    { $id: 'PlanHeadline', ...strict },
  ),
  Type.Object(
    {
      before: Type.Number({ description: 'Share of the capacity of the host in percent.' }),
      after: Type.Number({ description: 'Share after the plan.' }),
    },
    { $id: 'ShareChange', ...strict },
  ),
  Type.Object(
    {
      hostname: Type.String(),
      shares: Type.Partial(
        Type.Object(Object.fromEntries(hostQuantities.map((quantity) => [quantity, component('ShareChange')]))),
        { description: 'Shares by quantity, without unknown ones.', ...strict },
      ),
    },
    { $id: 'HostShare', ...strict },
  ),
  Type.Object(
    {
      uuid: uuid('Identifier.'),
      state: Type.String({ description: 'Life cycle.' }),
      paused: Type.Boolean({ description: 'Whether the plan is paused: no further actions start.' }),
      approval: approvalStateField,
      strategy_name: nullableText('Name of the strategy.'),
      audit_uuid: nullableUuid('Audit that created the plan.'),
      audit_name: nullableText('Name of the audit.'),
      rolls_back: nullableUuid('Plan that this one undoes.'),
      created_at: nullableText('ISO 8601 with offset.'),
      updated_at: nullableText('ISO 8601 with offset; null when never changed.'),
      status_message: nullableText('Reason of the state.'),
      total: count('Actions.'),
      by_state: Type.Record(Type.String(), Type.Integer(), { description: 'Actions by their states.' }),
      headline: component('PlanHeadline'),
    },
    { $id: 'PlanRow', ...strict },
  ),
  Type.Object({ total, plans: Type.Array(component('PlanRow')) }, { $id: 'PlanRowList', ...strict }),
  Type.Object(
    {
      plan: component('PlanRow'),
      hosts: Type.Array(component('HostShare'), {
        description: 'Hosts of the plan, sorted by name; empty if not stored.',
      }),
    },
    { $id: 'PlanRowDetail', ...strict },
  ),
  Type.Object(
    {
      uuid: uuid('Identifier.'),
      name: Type.String(),
      state: Type.String({ description: 'Life cycle.' }),
      audit_type: words(['ONESHOT', 'CONTINUOUS', 'EVENT'], 'Recurrence of the audit.'),
      goal_name: nullableText('Name of the goal.'),
      strategy_name: nullableText('Name of the strategy; null: selected by Vigil.'),
      next_run_time: nullableText('ISO 8601 with offset.'),
      created_at: nullableText('ISO 8601 with offset.'),
      updated_at: nullableText('ISO 8601 with offset; null when never changed.'),
      status_message: nullableText('Reason of the state.'),
    },
    { $id: 'AuditRow', ...strict },
  ),
  Type.Object({ total, audits: Type.Array(component('AuditRow')) }, { $id: 'AuditRowList', ...strict }),
];
