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
      state: words(actionPlanStates, 'Current state.'),
      plans: count('Plans in this state, including those removed by retention.'),
      paused: count('Plans of these that are paused: no further actions start.'),
      removed: count('Counted plans that retention has removed, by UTC day of their creation.'),
    },
    { $id: 'ReportedState', ...strict },
  ),
  Type.Object(
    {
      reason: words(kinds, 'Kind of the reason of a refusal by a service of the cloud.'),
      text: Type.String({ description: 'Reason as a sentence.' }),
      actions: count('Number of refused actions.'),
    },
    { $id: 'ReportedRefusal', ...strict },
  ),
  Type.Object(
    {
      state: words(actionPlanStates, 'Current state.'),
      approval: Type.Unsafe({
        anyOf: [words(approvalStates, 'Approval by a second person.'), { type: 'null' }],
        description: 'State of the approval; null: not required.',
      }),
      reason: nullableText('Status message, or the reason of a required approval; null without one.'),
      plans: count('Plans with this state and reason.'),
      newest: uuid('Newest of the counted plans.'),
    },
    { $id: 'UnstartedPlans', ...strict },
  ),
  Type.Object(
    {
      kwh: nullableNumber('Energy of the measured hosts; null if no power was measured.'),
      hours: Type.Number({ description: 'Hours of the period until now.' }),
      measured_hours: Type.Number({
        description: 'Hours with measured power. Other hours are omitted, not estimated.',
      }),
      hosts: count('Most hosts with measured power at a time.'),
      error: nullableText('Reason for missing data; null if the data source responded.'),
    },
    { $id: 'ReportedEnergy', ...strict },
  ),
  Type.Object(
    {
      from: moment('Start of the period.'),
      to: moment('End of the period, exclusive.'),
      made_at: moment('Time of the report.'),
      plans: Type.Object(
        {
          made: count('Plans created in the period.'),
          by_state: Type.Array(component('ReportedState'), { description: 'Most plans first.' }),
          partial: count('SUCCEEDED plans with actions that did not run.'),
          without_actions: count('SUCCEEDED plans without actions.'),
        },
        strict,
      ),
      moves: Type.Object(
        {
          succeeded: count('Moves of instances that ended in the period.'),
          failed: count('Moves that failed in the period.'),
          hosts_freed: count('Hosts freed by plans that ended in the period, as far as stored.'),
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
        description: 'Plans created in the period and never started, by reason; the most frequent 20.',
      }),
      energy: component('ReportedEnergy'),
      fullest: Type.Object(
        {
          hosts: Type.Array(component('FullestHost'), { description: 'The fullest 10 hosts of the period.' }),
          measured_hosts: count('Hosts with samples.'),
          error: nullableText('Reason for missing loads; null if the data source responded.'),
        },
        strict,
      ),
    },
    { $id: 'PeriodReport', description: 'Results of a period, as far as plans and samples are kept.', ...strict },
  ),
];
