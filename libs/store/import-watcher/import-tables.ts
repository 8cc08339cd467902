import { type NodeNames, withNodeNames } from './node-names.ts';
import type { SourceValues } from './source-values.ts';

type Reference = (column: string, table: string) => string | null;

/** Mapping of rows of one of Watcher's tables to Vigil's rows. */
export interface ImportTable {
  name: string;
  /** Rows are identified by name: existing rows of the store are used. */
  isCatalogue?: boolean;
  /** Names of live rows must be unique. */
  isNamed?: boolean;
  columns(values: SourceValues, reference: Reference, nodes: NodeNames): Record<string, unknown>;
}

/** The reason why work in progress in the old system is not continued. */
export const interruptedMessage = 'Cancelled by the import: it was in progress in the former system.';

/** A state, with a message if the import changed it. */
function stateOf(values: SourceValues, underWay: readonly string[]): { state: string; status_message: string | null } {
  const state = values.required('state');
  if (underWay.includes(state)) return { state: 'CANCELLED', status_message: interruptedMessage };
  return { state, status_message: values.text('status_message') };
}

/**
 * Continuous audits continue here at their next time, event audits wait for their webhook. One-time requests do not
 * run at the first start, because Watcher leaves audits with a lost trigger PENDING, possibly for a long time.
 */
function auditState(values: SourceValues) {
  const type = values.text('audit_type');
  const { state, status_message } = stateOf(values, type === 'ONESHOT' ? ['PENDING', 'ONGOING'] : []);
  return { state: type === 'EVENT' && state === 'ONGOING' ? 'PENDING' : state, status_message };
}

/** The imported tables, referenced tables first. */
export const importTables: readonly ImportTable[] = [
  {
    name: 'goals',
    isCatalogue: true,
    columns: (values) => ({
      name: values.required('name'),
      display_name: values.required('display_name'),
      efficacy_specification: values.json('efficacy_specification', '[]'),
    }),
  },
  {
    name: 'strategies',
    isCatalogue: true,
    columns: (values, reference) => ({
      name: values.required('name'),
      display_name: values.required('display_name'),
      goal_id: reference('goal_id', 'goals'),
      parameters_spec: values.json('parameters_spec', '{}'),
    }),
  },
  {
    name: 'scoring_engines',
    isCatalogue: true,
    columns: (values) => ({
      name: values.required('name'),
      description: values.text('description'),
      metainfo: values.text('metainfo'),
    }),
  },
  {
    name: 'audit_templates',
    isNamed: true,
    columns: (values, reference) => ({
      name: values.text('name') ?? `audit_template-${values.uuid()}`,
      description: values.text('description'),
      goal_id: reference('goal_id', 'goals'),
      strategy_id: reference('strategy_id', 'strategies'),
      scope: values.json('scope', '[]'),
      default_parameters: values.json('default_parameters', '{}'),
    }),
  },
  {
    name: 'audits',
    isNamed: true,
    columns: (values, reference) => ({
      name: values.text('name') ?? `audit-${values.uuid()}`,
      audit_type: values.required('audit_type'),
      ...auditState(values),
      parameters: values.json('parameters', '{}'),
      interval: values.text('interval'),
      goal_id: reference('goal_id', 'goals'),
      strategy_id: reference('strategy_id', 'strategies'),
      scope: values.json('scope', '[]'),
      auto_trigger: values.flag('auto_trigger'),
      next_run_time: values.time('next_run_time'),
      hostname: values.text('hostname'),
      start_time: values.time('start_time'),
      end_time: values.time('end_time'),
      force: values.flag('force'),
    }),
  },
  {
    name: 'action_plans',
    columns: (values, reference) => ({
      audit_id: reference('audit_id', 'audits'),
      strategy_id: reference('strategy_id', 'strategies'),
      ...stateOf(values, ['PENDING', 'ONGOING', 'CANCELLING']),
      global_efficacy: values.json('global_efficacy', '[]'),
      hostname: values.text('hostname'),
    }),
  },
  {
    name: 'actions',
    columns: (values, reference, nodes) => ({
      action_plan_id: reference('action_plan_id', 'action_plans'),
      action_type: values.required('action_type'),
      input_parameters: withNodeNames(values.required('action_type'), values.json('input_parameters', '{}'), nodes),
      ...stateOf(values, ['ONGOING', 'CANCELLING']),
      parents: values.json('parents', '[]'),
    }),
  },
  {
    name: 'efficacy_indicators',
    columns: (values, reference) => ({
      name: values.required('name'),
      description: values.text('description'),
      unit: values.text('unit'),
      value: values.number('data') ?? values.number('value') ?? 0,
      action_plan_id: reference('action_plan_id', 'action_plans'),
    }),
  },
];
