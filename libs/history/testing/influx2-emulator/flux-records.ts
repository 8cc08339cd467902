import { argumentsOf, nameOf } from './flux-arguments.ts';
import type { FluxExpression, FluxKey } from './flux-ast.ts';
import { FluxEvaluationError, type FluxRow, type FluxTable, type FluxValue, groupBy, keyRow } from './flux-tables.ts';

/** Records by parameter name of a function. */
type Names = Record<string, FluxRow>;

const nanosecondsPerMs = 1e6;

/** `map`: each row becomes the record that the function returns. It must keep the columns of the group key. */
export function mapRows(tables: FluxTable[], fn: FluxExpression | undefined): FluxTable[] {
  const { params, body } = functionOf(fn);
  const [row = ''] = params;
  const keys = [...new Set(tables.flatMap((table) => table.key))];
  const mapped = tables.map(({ key, rows }) => ({ key, rows: rows.map((one) => recordOf(body, { [row]: one })) }));
  return groupBy(mapped, keys);
}

/** `reduce`: each table becomes one row, its group key and the last accumulator. */
export function reduceRows(tables: FluxTable[], args: Map<string, FluxExpression>): FluxTable[] {
  const { params, body } = functionOf(args.get('fn'));
  const [row = '', accumulator = ''] = params;
  const identity = args.get('identity');
  if (identity === undefined) throw new FluxEvaluationError('reduce needs an identity');
  return tables.map((table) => {
    const initial = recordOf(identity, {});
    const end = table.rows.reduce((last, one) => recordOf(body, { [row]: one, [accumulator]: last }), initial);
    return { key: table.key, rows: [{ ...keyRow(table), ...end }] };
  });
}

/** A number literal. */
export function numberOf(expression: FluxExpression | undefined, name: string): number {
  if (expression?.type === 'FloatLiteral' || expression?.type === 'IntegerLiteral') return Number(expression.value);
  throw new FluxEvaluationError(`${name} must be a number`);
}

function functionOf(expression: FluxExpression | undefined): { params: string[]; body: FluxExpression } {
  if (expression?.type !== 'FunctionExpression') throw new FluxEvaluationError('fn must be a function');
  return { params: expression.params.map(({ key }) => keyName(key)), body: expression.body };
}

function recordOf(expression: FluxExpression, names: Names): FluxRow {
  if (expression.type === 'ParenExpression') return recordOf(expression.expression, names);
  if (expression.type !== 'ObjectExpression') throw new FluxEvaluationError('a record was expected');
  const columns = expression.properties.map(({ key, value }) => [keyName(key), evaluated(value, names)] as const);
  return { ...(expression.with ? names[expression.with.name] : {}), ...Object.fromEntries(columns) };
}

function evaluated(expression: FluxExpression, names: Names): FluxValue {
  switch (expression.type) {
    case 'ParenExpression':
      return evaluated(expression.expression, names);
    case 'FloatLiteral':
      return { type: 'double', value: expression.value };
    case 'IntegerLiteral':
      return { type: 'long', value: Number(expression.value) };
    case 'MemberExpression': {
      const found = names[nameOf(expression.object, 'a record')]?.[keyName(expression.property)];
      if (found === undefined) throw new FluxEvaluationError(`no column ${keyName(expression.property)}`);
      return found;
    }
    case 'BinaryExpression':
      return arithmetic(expression.operator, evaluated(expression.left, names), evaluated(expression.right, names));
    case 'CallExpression':
      return converted(nameOf(expression.callee, 'a function'), argumentsOf(expression).get('v'), names);
    default:
      throw new FluxEvaluationError(`no ${expression.type} in a calculation`);
  }
}

function converted(name: string, argument: FluxExpression | undefined, names: Names): FluxValue {
  if (argument === undefined) throw new FluxEvaluationError(`${name} needs v`);
  const value = evaluated(argument, names);
  const number = Number(value.value);
  if (name === 'float' && value.type !== 'dateTime:RFC3339') return { type: 'double', value: number };
  if (name === 'int' && value.type === 'dateTime:RFC3339') return { type: 'long', value: number * nanosecondsPerMs };
  throw new FluxEvaluationError(`the emulator has no ${name} of ${value.type}`);
}

const operators: Record<string, (left: number, right: number) => number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

function arithmetic(operator: string, left: FluxValue, right: FluxValue): FluxValue {
  const work = operators[operator];
  if (work === undefined) throw new FluxEvaluationError(`the emulator has no operator ${operator}`);
  if (left.type !== right.type || (left.type !== 'double' && left.type !== 'long')) {
    throw new FluxEvaluationError(`no ${left.type} ${operator} ${right.type}`);
  }
  return { type: left.type, value: work(left.value, Number(right.value)) };
}

function keyName(key: FluxKey): string {
  return key.type === 'Identifier' ? key.name : key.value;
}
