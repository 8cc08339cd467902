import { Type } from 'typebox';
import {
  actionPlanStates,
  actionStates,
  controlsOf,
  measurementStates,
  onFailurePolicies,
  planControls,
  revertibilities,
  rollbackStates,
  startControls,
} from '#libs/domain';
import { durationFields } from '../../../durations/duration-schema.ts';
import { hostSchemas, reserveChangesField, sideEffectsField, unplacedField } from '../../../openapi/host-schemas.ts';
import { promiseSchemas, promisesField } from '../../../openapi/promise-schemas.ts';
import {
  component,
  linksSchema,
  nullableText,
  nullableUuid,
  optionalText,
  resourceSchemas,
  timestampFields,
  uuid,
  words,
} from '../../../openapi/shared-schemas.ts';
import { approvalSchemas } from './approval/approval-schemas.ts';
import { commentSchemas } from './comments/comment-schemas.ts';

const efficacy = Type.Object({
  name: Type.String(),
  description: nullableText('For people.'),
  unit: nullableText('Unit of the value.'),
  value: Type.Unsafe({ type: ['number', 'null'] }),
});

const nullableWhole = Type.Unsafe({ type: ['integer', 'null'] });
const revertibility = Type.Unsafe({
  type: ['string', 'null'],
  enum: [...revertibilities, null],
  description: 'How well it can be undone; null when no applier has reported it.',
});
const step = Type.Object(
  {
    action_uuid: uuid('Action.'),
    action_type: Type.String(),
    input_parameters: Type.Object({}, { additionalProperties: true }),
    state: words(actionStates, 'Life cycle.'),
    stage: Type.Integer({ description: '1 for actions that wait for nothing.' }),
    starts_after: Type.Number({ description: 'Estimated seconds from the start of the plan.' }),
    estimated_seconds: Type.Number(),
    rollback: revertibility,
    summary: nullableText('Why it is proposed.'),
  },
  { additionalProperties: false },
);

const revertStep = Type.Object(
  {
    action_uuid: uuid('Action that took effect, or may have.'),
    action_type: Type.String(),
    input_parameters: Type.Object({}, { additionalProperties: true }),
    state: words(actionStates, 'Life cycle.'),
    stage: Type.Unsafe({
      type: ['integer', 'null'],
      description: '1 for those that are undone first; null when it is not undone (again).',
    }),
    verdict: words(revertibilities, 'How well it can be undone.'),
    summary: Type.String({ description: 'Effect of undoing it.' }),
    rollback_action_uuid: nullableUuid('Action of the newest rollback plan that undoes it.'),
    rollback_state: Type.Unsafe({
      type: ['string', 'null'],
      enum: [...new Set([...actionStates, ...rollbackStates]), null],
      description: 'State of that action, or of its rollback by the failure policy; null when it was never undone.',
    }),
    rollback_message: nullableText('Reason of the rollback state.'),
  },
  { additionalProperties: false },
);

const listFields = {
  uuid: uuid('Identifier.'),
  audit_uuid: nullableUuid('Audit that made the plan; null when that is deleted.'),
  strategy_uuid: nullableUuid('Strategy that proposed it.'),
  strategy_name: nullableText('Name of the strategy.'),
  state: words(actionPlanStates, 'Life cycle.'),
  efficacy_indicators: Type.Array(efficacy, { description: 'Expected gain of the plan.' }),
  global_efficacy: Type.Array(efficacy, { description: 'Summary of the indicators.' }),
  updated_at: timestampFields.updated_at,
  links: linksSchema,
};
const allFields = {
  ...listFields,
  hostname: nullableText('Host of the applier that runs or ran it.'),
  status_message: Type.Optional(nullableText('Reason of the state; from 1.5 on.')),
  created_at: timestampFields.created_at,
  deleted_at: timestampFields.deleted_at,
};

/** The verdict on the measurements of a plan. */
const measurementProperty = Type.Object(
  {
    state: words(
      Object.values(measurementStates),
      'ACHIEVED: the values before and after the plan are its effect. NOT_MEASURED: see reason. NOT_ATTRIBUTABLE: see overlaps. MEASURING, PENDING: no verdict yet.',
    ),
    reason: Type.Optional(nullableText('Why a value is missing.')),
    overlaps: Type.Optional(
      Type.Array(uuid('Plan that changed the same hosts.'), {
        description:
          'Plans that changed the same hosts from one averaging period ahead of the plan to the end of the window after; 20 at most.',
      }),
    ),
    due_at: Type.Optional(nullableText('When the measurement after the plan is due; ISO 8601.')),
  },
  { description: 'Absent until the plan runs, and for plans of earlier releases.' },
);

/** Schema of a control as an option of a start, by its type. */
const optionSchemas = {
  policy: (description: string) => Type.Optional(words(onFailurePolicies, description)),
  flag: (description: string) => Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description })),
  time: optionalText,
  cron: optionalText,
  zone: optionalText,
  whole: (description: string) =>
    Type.Optional(Type.Unsafe({ type: ['integer', 'null'], minimum: 1, maximum: 1_000_000, description })),
};

const startOptions = Object.fromEntries(
  controlsOf(startControls).map(({ name, type, option = '' }) => [name, optionSchemas[type](option)]),
);

/** Schema of a control as a field that shows it, by its type. */
const shownSchemas = {
  policy: (description: string) => words(onFailurePolicies, description),
  flag: (description: string) => Type.Boolean({ description }),
  time: nullableText,
  cron: nullableText,
  zone: nullableText,
  whole: (description: string) => Type.Unsafe({ type: ['integer', 'null'], ...(description && { description }) }),
};

const shownControls = Object.fromEntries(
  controlsOf(planControls).flatMap(({ name, type, shown }) =>
    shown === undefined ? [] : [[name, shownSchemas[type](shown)]],
  ),
);

const stalenessSchema = Type.Object(
  {
    action_plan_uuid: uuid('Action plan.'),
    stale: Type.Boolean({ description: 'Whether its start needs force_stale.' }),
    text: Type.String({ description: 'The age of the plan with its numbers, for people.' }),
    forced: Type.Boolean({
      description: 'Whether it was started with force_stale, or its actions are given.',
    }),
    hosts: Type.Integer({ description: 'Hosts that the plan uses or frees.' }),
    hosts_known: Type.Integer({ description: 'Hosts whose version is known; 0: the age of the plan is unknown.' }),
    hosts_changed: Type.Integer({ description: 'Hosts that changed after the plan was made.' }),
    migrations_since: Type.Integer({ description: 'Migrations by other plans from or to the changed hosts.' }),
    changed: Type.Array(
      Type.Object({
        hostname: Type.String(),
        planned_version: Type.Integer(),
        current_version: nullableWhole,
        changed_at: nullableText('ISO 8601 with offset.'),
      }),
      { description: 'The first 100 changed hosts.' },
    ),
    gain: Type.Unsafe({
      description: 'Gain on the newest model; null when it is unknown.',
      anyOf: [
        Type.Object({
          left: Type.Number({ description: 'Part of the gain that is left.' }),
          promised_points: Type.Number({ description: 'Percentage points when the plan was made.' }),
          now_points: Type.Number({ description: 'Percentage points now.' }),
        }),
        Type.Null(),
      ],
    }),
    gain_unknown_because: nullableText('Why the gain is unknown.'),
    repeated: Type.Unsafe({
      description: 'Moves of a plan without a known gain, repeated on the newest model; null when no host changed.',
      anyOf: [
        Type.Object({
          moves: Type.Integer({ description: 'Moves that are still to run.' }),
          obstacles: Type.Integer({ description: 'Impossible moves, and hosts that would keep more than planned.' }),
          first_obstacle: nullableText('Text of the first obstacle.'),
        }),
        Type.Null(),
      ],
    }),
    held_by: Type.Unsafe({
      description: 'Started plan that holds a host of this one; null when none does.',
      anyOf: [
        Type.Object({
          action_plan_uuid: uuid('Action plan.'),
          state: words(actionPlanStates, 'Life cycle.'),
          text: Type.String(),
        }),
        Type.Null(),
      ],
    }),
  },
  { $id: 'ActionPlanStaleness', additionalProperties: false },
);

/** Components of the OpenAPI document for action plans. */
export const actionPlanSchemas = [
  ...hostSchemas,
  ...promiseSchemas,
  ...approvalSchemas,
  ...commentSchemas,
  ...resourceSchemas('ActionPlan', 'action_plans', listFields, allFields),
  Type.Object(
    {
      ...startOptions,
      skip_actions: Type.Optional(
        Type.Unsafe<string[] | null>({
          type: ['array', 'null'],
          items: uuid('Action of this plan.'),
          description: 'Actions that are skipped, as if each had been before the start (extension).',
        }),
      ),
    },
    { $id: 'ActionPlanStart', additionalProperties: false },
  ),
  Type.Object(startOptions, { $id: 'ActionPlanRollbackStart', additionalProperties: false }),
  Type.Object(
    { action_plan_uuid: uuid('Action plan.'), ...durationFields },
    { $id: 'ActionPlanDuration', additionalProperties: false },
  ),
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      ...shownControls,
      rollback_state: Type.Unsafe({ type: ['string', 'null'], enum: [...rollbackStates, null] }),
      rollback_message: nullableText('Reason of the rollback state.'),
      rolls_back: nullableUuid('Plan that this one undoes.'),
      outcome: Type.Unsafe({
        type: ['object', 'null'],
        properties: {
          measurement: measurementProperty,
          promises: Type.Array(component('JudgedPromise'), { description: 'Promises of the plan and their verdicts.' }),
        },
        additionalProperties: true,
        description:
          'Efficacy measured before the first action and after the end, the verdict on it, and the remains of evacuated instances once their host was back; null until then.',
      }),
      progress: Type.Object(
        {
          total: Type.Integer({ description: 'Actions.' }),
          ended: Type.Integer({ description: 'Actions in an end state.' }),
          running: Type.Integer({ description: 'Actions in progress.' }),
          percent: Type.Number({ description: 'Share of the ended actions, with one decimal.' }),
          by_state: Type.Record(Type.String(), Type.Integer(), { description: 'Actions by state.' }),
        },
        { additionalProperties: false },
      ),
      cut: Type.Union(
        [
          Type.Object(
            {
              max_migrations: nullableWhole,
              actions_left_out: Type.Integer({ description: 'Actions that did not fit.' }),
              migrations_left_out: Type.Integer({ description: 'Migrations among them.' }),
              hosts_left_out: Type.Array(Type.String(), { description: 'Hosts that were not disabled for it.' }),
            },
            { additionalProperties: false },
          ),
          Type.Null(),
        ],
        { description: 'Actions that `max_migrations` left out; null when it left out none.' },
      ),
    },
    { $id: 'ActionPlanOutcome', additionalProperties: false },
  ),
  stalenessSchema,
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      actions: Type.Array(
        Type.Object(
          {
            action_uuid: uuid('Action.'),
            state: words(actionStates, 'Life cycle.'),
            started_at: Type.String({ format: 'date-time', description: 'When it started.' }),
            ended_at: nullableText('When it ended; null while it runs.'),
          },
          { additionalProperties: false },
        ),
        { description: 'Started actions, in the order of their start.' },
      ),
    },
    { $id: 'ActionPlanTimeline', additionalProperties: false },
  ),
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      possible: Type.Boolean({ description: 'Whether it can be rolled back now.' }),
      reason: nullableText('Why it cannot.'),
      verdict: revertibility,
      rolls_back: nullableUuid('Plan that this one undoes.'),
      rollback_plan_uuid: nullableUuid('Newest plan that undoes this one.'),
      rollback_plan_state: Type.Unsafe({ type: ['string', 'null'], enum: [...actionPlanStates, null] }),
      actions: Type.Array(revertStep, { description: 'In the order of undoing.' }),
    },
    { $id: 'ActionPlanRollback', additionalProperties: false },
  ),
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      actions: Type.Array(step, { description: 'In the order of their stages.' }),
      estimated_seconds: Type.Object(
        {
          at_least: Type.Number({ description: 'As `duration.seconds.low`.' }),
          one_by_one: Type.Number({ description: 'All actions after one another.' }),
          guessed_types: Type.Array(Type.String(), { description: 'Action types that were never measured here.' }),
        },
        { additionalProperties: false },
      ),
      duration: Type.Object(durationFields, { additionalProperties: false }),
      rollback: revertibility,
      hosts_taken_at: nullableText('Time of the model that `before` and `after` are from; null when none was stored.'),
      today_taken_at: nullableText('Time of the model that `today` is from; null when the cloud is not known now.'),
      model: nullableText('Why `today` is not known; null when it is.'),
      unplaced: unplacedField('Instances whose destination Nova chooses; null when no hosts were stored.'),
      hosts: Type.Array(component('PlanHost'), { description: 'Hosts that the plan touches, by name.' }),
      side_effects: sideEffectsField,
      reserve_changes: reserveChangesField,
      promises: promisesField,
    },
    { $id: 'ActionPlanPreview', additionalProperties: false },
  ),
];
