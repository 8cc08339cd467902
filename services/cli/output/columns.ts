import { routeOf, subjectOf } from '#libs/client';
import type { ColumnNature } from './fit-columns.ts';

/** A column or line of a table: its field, format, and priority on narrow terminals. */
export interface Column extends ColumnNature {
  title: string;
  field: string;
  format?: Format;
  /** An API time, which tables on a terminal show as an age. */
  isTime: boolean;
  /** Shown by tables where there is no value, such as `auto`. Default: nothing. */
  absent?: string;
}

/** The text of a value. `row` has the other fields. */
export type Format = (value: unknown, row: Readonly<Record<string, unknown>>) => string;

/** Fields with user-written text. */
const textFields =
  /^(name|display_name|description|reason|summary|detail|note|problem|last_error|because|metainfo|what)$|_message$/;
const timeFields = /(^|_)(at|time)$|^(hold_until|window_(start|end)|measured_(before|after))$/;
/** Fields whose words users compare and copy. Tables never break them. */
const wholeFields = /(^|_)(uuid|id|state|status|verdict)$/;

/** Titles of Watcher's client that differ from the field. Scripts name columns by them. */
const watcherTitles: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  id: 'ID',
  audit_uuid: 'Audit',
  action_plan_uuid: 'Action Plan',
  goal_name: 'Goal',
  strategy_name: 'Strategy',
  audit_type: 'Audit Type',
  auto_trigger: 'Auto Trigger',
  next_run_time: 'Next Run Time',
  start_time: 'Start Time',
  end_time: 'End Time',
  scope: 'Audit Scope',
  action_type: 'Action',
  input_parameters: 'Parameters',
};

/** Properties of a column that its field does not show. */
type ColumnOptions = ColumnNature & Partial<Pick<Column, 'title' | 'format' | 'absent'>>;

/**
 * A column. Its title is that of Watcher's client, else made from the field, such as `Display name` and `Started At`.
 * Text, times, states and identifiers are recognized by the name of the field.
 */
export function column(field: string, options: Format | ColumnOptions = {}): Column {
  const given = typeof options === 'function' ? { format: options } : options;
  return {
    title: watcherTitles[field] ?? titleOf(field),
    field,
    isTime: timeFields.test(field),
    isText: textFields.test(field),
    isWhole: wholeFields.test(field),
    ...given,
  };
}

function titleOf(field: string): string {
  const words = field.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (field.endsWith('_at')) return words.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return words[0]?.toUpperCase() + words.slice(1);
}

/** When a record was made, changed and deleted. */
export const recordTimes: readonly Column[] = [column('created_at'), column('updated_at'), column('deleted_at')];

/** Text of a value in a table. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(Number(value.toFixed(4)));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The strategy of an audit, which the service chooses when none is named. */
export const strategyColumn = column('strategy_name', { absent: 'auto' });

/** Summary of an action, such as `migrate web-1: node-1 → node-3`. */
export function actionText(input: unknown, { action_type: type }: Readonly<Record<string, unknown>>): string {
  const action = { input_parameters: isObject(input) ? input : {} };
  const route = routeOf(action);
  const { migration_type: way } = action.input_parameters;
  const words = [type, subjectOf(action)].filter((word) => word !== '').join(' ');
  return `${words}${route === '' ? '' : `: ${route}`}${typeof way === 'string' ? ` (${way})` : ''}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Texts of a list, one a line. */
export function linesText(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : '';
}

/** Indicators, one a line: name, value and unit. */
export function efficacyText(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value
    .map(({ name, value: amount, unit }) => {
      const shown = typeof amount === 'number' ? Number(amount.toFixed(2)) : '';
      return `${name}: ${shown}${unit ? ` ${unit}` : ''}`;
    })
    .join('\n');
}

/** Indicator names and units of a goal, one a line. */
export function specificationText(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value.map(({ name, unit }) => (unit ? `${name} (${unit})` : String(name))).join('\n');
}

/** A state, or the state of each metric or model, one a line. */
export function requirementText(value: unknown): string {
  if (!Array.isArray(value)) return cellText(value);
  return value
    .flatMap((entry: object) => Object.entries(entry).map(([name, state]) => `${name}: ${String(state)}`))
    .join('\n');
}

/** An object, indented. */
export function objectText(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}
