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

const total = count('Rows of all pages.');

/** Components of the routes of lists. */
export const listSchemas = [
  Type.Object(durationFields, { $id: 'PlanDuration', ...strict }),
  Type.Object(
    {
      name: Type.String({ description: 'Of the indicator, such as `standard_deviation_after_audit`.' }),
      unit: nullableText('Unit of the value.'),
      value: nullableNumber('Predicted for the plan.'),
    },
    { $id: 'HeadlineIndicator', ...strict },
  ),
  Type.Object(
    {
      live_migrations: count('Instances that migrate live.'),
      cold_migrations: count('Instances that migrate in other ways.'),
      volume_moves: count('Volumes that move.'),
      other_actions: count('All other actions.'),
      memory: nullableNumber('MiB of the instances that move; null when that was not stored.'),
      hosts_freed: nullableCount('Hosts that become empty; null when that was not stored.'),
      side_effects: sideEffectsField,
      improvements: improvementsField,
      reserve_changes: reserveChangesField,
      indicators: Type.Array(component('HeadlineIndicator'), { description: 'Expected gain of the plan.' }),
      duration: component('PlanDuration'),
      rollback: Type.Unsafe({
        type: ['string', 'null'],
        enum: ['exact', 'best-effort', 'impossible', null],
        description: 'How well it can be undone; null when no applier has reported it.',
      }),
      gap: nullableNumber('Gap to the bound, as a fraction of the possible gain; only for search-based strategies.'),
      made_by: nullableText('User that requested the audit; null when unknown, or not visible to the caller.'),
      started_by: nullableText('User that started the plan; null as `made_by`, and when no user did.'),
      started_at: nullableText('When it was started; ISO 8601.'),
    },
    { $id: 'PlanHeadline', ...strict },
  ),
  Type.Object(
    {
      before: Type.Number({ description: 'Share of the capacity of the host in percent.' }),
      after: Type.Number({ description: 'The same after the plan.' }),
    },
    { $id: 'ShareChange', ...strict },
  ),
  Type.Object(
    {
      hostname: Type.String(),
      shares: Type.Partial(
        Type.Object(Object.fromEntries(hostQuantities.map((quantity) => [quantity, component('ShareChange')]))),
        { description: 'By quantity. Those that are not known are absent.', ...strict },
      ),
    },
    { $id: 'HostShare', ...strict },
  ),
  Type.Object(
    {
      uuid: uuid('Identifier.'),
      state: Type.String({ description: 'Life cycle.' }),
      paused: Type.Boolean({ description: 'No further action starts.' }),
      approval: approvalStateField,
      strategy_name: nullableText('Name of the strategy.'),
      audit_uuid: nullableUuid('Audit that made the plan.'),
      audit_name: nullableText('Its name.'),
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
        description: 'Hosts of the plan, by name; empty when they were not stored.',
      }),
    },
    { $id: 'PlanRowDetail', ...strict },
  ),
  Type.Object(
    {
      uuid: uuid('Identifier.'),
      name: Type.String(),
      state: Type.String({ description: 'Life cycle.' }),
      audit_type: words(['ONESHOT', 'CONTINUOUS', 'EVENT'], 'When it runs.'),
      goal_name: nullableText('Name of the goal.'),
      strategy_name: nullableText('Name of the strategy; null: Vigil chooses.'),
      next_run_time: nullableText('ISO 8601 with offset.'),
      created_at: nullableText('ISO 8601 with offset.'),
      updated_at: nullableText('ISO 8601 with offset; null when never changed.'),
      status_message: nullableText('Reason of the state.'),
    },
    { $id: 'AuditRow', ...strict },
  ),
  Type.Object({ total, audits: Type.Array(component('AuditRow')) }, { $id: 'AuditRowList', ...strict }),
];
