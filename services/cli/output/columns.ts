import { routeOf, subjectOf } from '#libs/client';
import type { ColumnNature } from './fit-columns.ts';

/** A column or line of a table: its field, format, and priority on narrow terminals. */
export interface Column extends ColumnNature {
  title: string;
  field: string;
  format?: Format;
  /** An API time, which tables show as an age. */
  isTime: boolean;
}

/** The text of a value. `row` has the other fields. */
export type Format = (value: unknown, row: Readonly<Record<string, unknown>>) => string;

/** Fields with user-written text. */
const textFields =
  /^(name|display_name|description|reason|summary|detail|note|problem|last_error|because|metainfo|what)$|_message$/;
const timeFields = /(^|_)(at|time)$|^(hold_until|window_(start|end)|measured_(before|after))$/;

/** A column whose title is made from the field, such as `Goal name`. Text and time fields are recognized by name. */
export function column(field: string, options: Format | (ColumnNature & { format?: Format }) = {}): Column {
  const words = field.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const title = field === 'uuid' || field === 'id' ? field.toUpperCase() : words[0]?.toUpperCase() + words.slice(1);
  const given = typeof options === 'function' ? { format: options } : options;
  return { title, field, isTime: timeFields.test(field), isText: textFields.test(field), ...given };
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
export function strategyText(value: unknown): string {
  return value === null || value === undefined ? 'auto' : String(value);
}

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

/** An object, indented. */
export function objectText(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}
