import { InvalidInputError } from '#libs/domain';
import type { Filter } from '../list-query.ts';
import type { DerivedField } from '../session/statement-cache.ts';

/** A condition with named parameters. */
export interface Condition {
  sql: string;
  parameters: Record<string, unknown>;
}

const uuidText = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** Whether PostgreSQL accepts `text` as a uuid. */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && uuidText.test(text);
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The value as the column's type can compare it. A text that is not a uuid equals no uuid. */
function comparable(field: DerivedField, value: unknown): boolean {
  return field.type !== 'uuid' || isUuid(value);
}

function membership(field: DerivedField, name: string, filter: Filter<never>): Condition {
  if (!Array.isArray(filter.value)) throw new InvalidInputError(filter.field, `${filter.op} needs a list`);
  const values = filter.value.filter((value) => comparable(field, value));
  const isIn = `${field.expression} = ANY(CAST(:${name} AS ${field.type}[]))`;
  return { sql: filter.op === 'in' ? isIn : `NOT coalesce(${isIn}, false)`, parameters: { [name]: values } };
}

function equality(field: DerivedField, name: string, filter: Filter<never>): Condition {
  const differs = filter.op === 'neq';
  if (filter.value === null) {
    return { sql: `${field.expression} IS ${differs ? 'NOT ' : ''}NULL`, parameters: {} };
  }
  if (!comparable(field, filter.value)) return { sql: differs ? 'true' : 'false', parameters: {} };
  const operator = differs ? 'IS DISTINCT FROM' : '=';
  return {
    sql: `${field.expression} ${operator} CAST(:${name} AS ${field.type})`,
    parameters: { [name]: filter.value },
  };
}

/**
 * The SQL condition for `filter`. `neq` and `notin` also match rows without a value. @param name of the parameter,
 * unique in the query @throws InvalidInputError on an unknown operator or an unsuitable value
 */
export function conditionOf(field: DerivedField, filter: Filter<never>, name: string): Condition {
  const operator = filter.op ?? 'eq';
  if (operator === 'eq' || operator === 'neq') return equality(field, name, filter);
  if (operator === 'in' || operator === 'notin') return membership(field, name, filter);
  const sign = comparisons[operator];
  if (!sign) throw new InvalidInputError(filter.field, `unknown operator ${String(operator)}`);
  if (!comparable(field, filter.value)) return { sql: 'false', parameters: {} };
  return {
    sql: `${field.expression} ${sign} CAST(:${name} AS ${field.type})`,
    parameters: { [name]: filter.value },
  };
}
