import type { FluxCall, FluxExpression, FluxKey } from './flux-ast.ts';
import { FluxEvaluationError, type FluxRow, type FluxValue } from './flux-tables.ts';

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Arguments of a call by name. */
export function argumentsOf(call: FluxCall): Map<string, FluxExpression> {
  const [given] = call.arguments ?? [];
  if (given === undefined) return new Map();
  if (given.type !== 'ObjectExpression') throw new FluxEvaluationError('arguments must be named');
  return new Map(given.properties.map((property) => [keyName(property.key), property.value]));
}

function keyName(key: FluxKey): string {
  return key.type === 'Identifier' ? key.name : key.value;
}

export function textOf(expression: FluxExpression | undefined, name: string): string {
  if (expression?.type === 'StringLiteral') return expression.value;
  throw new FluxEvaluationError(`${name} must be a text`);
}

export function textsOf(expression: FluxExpression | undefined): string[] {
  if (expression === undefined) return [];
  if (expression.type !== 'ArrayExpression') throw new FluxEvaluationError('columns must be a list');
  return expression.elements.map((element) => textOf(element, 'a column'));
}

export function nameOf(expression: FluxExpression | undefined, name: string): string {
  if (expression?.type === 'Identifier') return expression.name;
  throw new FluxEvaluationError(`${name} must be a name`);
}

export function durationMs(expression: FluxExpression | undefined): number {
  if (expression?.type === 'UnaryExpression' && expression.operator === '-') return -durationMs(expression.argument);
  if (expression?.type !== 'DurationLiteral') throw new FluxEvaluationError('a duration was expected');
  return expression.values.reduce((sum, { magnitude, unit }) => {
    const factor = unitMs[unit];
    if (factor === undefined) throw new FluxEvaluationError(`the emulator has no unit ${unit}`);
    return sum + magnitude * factor;
  }, 0);
}

/** A time, as a literal or as `time(v: …)`, or a duration relative to now. */
export function timeMs(expression: FluxExpression | undefined, nowMs: number): number {
  if (expression === undefined) return nowMs;
  if (expression.type === 'DateTimeLiteral') return Date.parse(expression.value);
  if (expression.type === 'CallExpression' && nameOf(expression.callee, 'a function') === 'time') {
    return Date.parse(textOf(argumentsOf(expression).get('v'), 'v'));
  }
  return nowMs + durationMs(expression);
}

/** Whether the predicate of a `filter` holds for a row. Comparisons with a missing column are false. */
export function holds(predicate: FluxExpression | undefined, row: FluxRow): boolean {
  if (predicate?.type !== 'FunctionExpression') throw new FluxEvaluationError('fn must be a function');
  return truth(predicate.body, row);
}

function truth(expression: FluxExpression, row: FluxRow): boolean {
  if (expression.type === 'ParenExpression') return truth(expression.expression, row);
  if (expression.type === 'LogicalExpression') {
    const left = truth(expression.left, row);
    return expression.operator === 'and' ? left && truth(expression.right, row) : left || truth(expression.right, row);
  }
  if (expression.type !== 'BinaryExpression') throw new FluxEvaluationError(`no ${expression.type} in a predicate`);
  const left = operand(expression.left, row);
  const right = operand(expression.right, row);
  if (left === undefined || right === undefined) return false;
  if (expression.operator === '==') return left === right;
  if (expression.operator === '!=') return left !== right;
  if (expression.operator === '>') return left > right;
  if (expression.operator === '<') return left < right;
  throw new FluxEvaluationError(`the emulator has no operator ${expression.operator}`);
}

function operand(expression: FluxExpression, row: FluxRow): FluxValue['value'] | undefined {
  if (expression.type === 'StringLiteral' || expression.type === 'BooleanLiteral') return expression.value;
  if (expression.type === 'FloatLiteral' || expression.type === 'IntegerLiteral') return Number(expression.value);
  if (expression.type === 'UnaryExpression' && expression.operator === '-')
    return -Number(operand(expression.argument, row));
  if (expression.type === 'MemberExpression') return row[keyName(expression.property)]?.value;
  throw new FluxEvaluationError(`no ${expression.type} in a comparison`);
}
