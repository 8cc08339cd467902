import { Type } from 'typebox';
import { actionPlanStates, approvalStates, type RefusalReason, refusalFacts } from '#libs/domain';
import {
  component,
  count,
  moment,
  nullableNumber,
  nullableText,
  strict,
  uuid,
  words,
} from '../../../openapi/shared-schemas.ts';

const kinds = Object.keys(refusalFacts) as RefusalReason[];

/** Components of the report of a period. */
export const reportSchemas = [
  Type.Object(
    {
      state: words(actionPlanStates, 'State now.'),
      plans: count('Plans in this state, with those that retention has removed.'),
      removed: count('Of these, plans that retention has removed, by the UTC day on which they were made.'),
    },
    { $id: 'ReportedState', ...strict },
  ),
  Type.Object(
    {
      reason: words(kinds, 'Kind of reason for which a service of the cloud refused the action.'),
      text: Type.String({ description: 'The reason in words.' }),
      actions: count('Refused actions.'),
    },
    { $id: 'ReportedRefusal', ...strict },
  ),
  Type.Object(
    {
      state: words(actionPlanStates, 'State now.'),
      approval: Type.Unsafe({
        anyOf: [words(approvalStates, 'Approval by a second person.'), { type: 'null' }],
        description: 'Null: none was needed.',
      }),
      reason: nullableText('Status message, or why an approval is needed; null without one.'),
      plans: count('Plans with this state and reason.'),
      newest: uuid('Newest of these plans.'),
    },
    { $id: 'UnstartedPlans', ...strict },
  ),
  Type.Object(
    {
      kwh: nullableNumber('Energy of the measured hosts; null when no power was measured.'),
      hours: Type.Number({ description: 'Hours of the period until now.' }),
      measured_hours: Type.Number({ description: 'Hours with measured power. Others are left out, not estimated.' }),
      hosts: count('Most hosts with measured power at a time.'),
      error: nullableText('Why nothing was read; null when the data source responded.'),
    },
    { $id: 'ReportedEnergy', ...strict },
  ),
  Type.Object(
    {
      from: moment('Start of the period.'),
      to: moment('End of the period, not included.'),
      made_at: moment('Time of the report.'),
      plans: Type.Object(
        {
          made: count('Plans made in the period.'),
          by_state: Type.Array(component('ReportedState'), { description: 'Most plans first.' }),
          partial: count('SUCCEEDED plans with actions that were not carried out.'),
          without_actions: count('SUCCEEDED plans without actions.'),
        },
        strict,
      ),
      moves: Type.Object(
        {
          succeeded: count('Moves of instances that ended in the period.'),
          failed: count('Moves that failed in the period.'),
          hosts_freed: count('Hosts emptied by plans that ended in it and have stored hosts.'),
        },
        strict,
      ),
      promises: Type.Array(component('TrendPromise'), {
        description: 'Promises of plans that succeeded and ended in the period, by strategy and quantity.',
      }),
      refusals: Type.Array(component('ReportedRefusal'), {
        description: 'Actions of the period that a service of the cloud refused, by reason.',
      }),
      unstarted: Type.Array(component('UnstartedPlans'), {
        description: 'Plans made in the period and never started, by reason; the most frequent 20.',
      }),
      energy: component('ReportedEnergy'),
      fullest: Type.Object(
        {
          hosts: Type.Array(component('FullestHost'), { description: 'The fullest 10 hosts of the period.' }),
          measured_hosts: count('Hosts with samples.'),
          error: nullableText('Why loads are missing; null when the data source responded.'),
        },
        strict,
      ),
    },
    { $id: 'PeriodReport', description: 'Results of a period, as far as plans and samples are kept.', ...strict },
  ),
];
