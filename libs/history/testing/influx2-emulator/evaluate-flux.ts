import { aggregateNames, aggregateTables, aggregateWindows, growths, quantileTables } from './flux-aggregates.ts';
import { argumentsOf, durationMs, holds, nameOf, textOf, textsOf, timeMs } from './flux-arguments.ts';
import type { FluxCall, FluxExpression, FluxFile } from './flux-ast.ts';
import { mapRows, numberOf, reduceRows } from './flux-records.ts';
import { FluxEvaluationError, type FluxResult, type FluxRow, type FluxTable, groupBy } from './flux-tables.ts';
import type { PointStore } from './point-store.ts';

/** Data of a query. */
export interface FluxWorld {
  /** Undefined for an unknown bucket. */
  bucket(name: string): PointStore | undefined;
  nowMs: number;
}

/** The bucket of a query does not exist. */
export class BucketNotFoundError extends Error {}

/**
 * Evaluates the subset of Flux in use: pipelines of from, range, filter, group, sort, derivative, mean, sum, count,
 * min, max, first, last, quantile, map, reduce, aggregateWindow, keep and yield. @throws FluxEvaluationError for all
 * else
 */
export function evaluateFlux(file: FluxFile, world: FluxWorld): FluxResult[] {
  return file.body.map((statement) => {
    if (statement.type !== 'ExpressionStatement') throw new FluxEvaluationError(`no ${statement.type} here`);
    return evaluate(statement.expression, world);
  });
}

function evaluate(expression: FluxExpression, world: FluxWorld): FluxResult {
  if (expression.type === 'CallExpression') return { name: '_result', tables: fromBucket(expression, world) };
  if (expression.type !== 'PipeExpression')
    throw new FluxEvaluationError(`a pipeline was expected, not ${expression.type}`);
  const { name, tables } = evaluate(expression.argument, world);
  const args = argumentsOf(expression.call);
  const step = nameOf(expression.call.callee, 'a function');
  if (step === 'yield') return { name: textOf(args.get('name'), 'name'), tables };
  return { name, tables: applyStep(step, args, tables, world) };
}

function applyStep(
  step: string,
  args: Map<string, FluxExpression>,
  tables: FluxTable[],
  world: FluxWorld,
): FluxTable[] {
  if (aggregateNames.includes(step)) return aggregateTables(step, tables);
  switch (step) {
    case 'range':
      return inRange(tables, timeMs(args.get('start'), world.nowMs), timeMs(args.get('stop'), world.nowMs));
    case 'filter':
      return withRows(tables, (row) => holds(args.get('fn'), row));
    case 'group':
      return groupBy(tables, textsOf(args.get('columns')));
    case 'sort':
      return sorted(tables, textsOf(args.get('columns')));
    case 'derivative':
      return derivatives(tables, args);
    case 'quantile':
      if (textOf(args.get('method'), 'method') !== 'exact_mean') {
        throw new FluxEvaluationError('the emulator needs method: "exact_mean"');
      }
      return quantileTables(tables, numberOf(args.get('q'), 'q'));
    case 'map':
      return mapRows(tables, args.get('fn'));
    case 'reduce':
      return reduceRows(tables, args);
    case 'keep':
      return keepColumns(tables, textsOf(args.get('columns')));
    case 'aggregateWindow':
      return windows(args, tables);
    default:
      throw new FluxEvaluationError(`the emulator has no function ${step}`);
  }
}

function fromBucket(call: FluxCall, world: FluxWorld): FluxTable[] {
  if (nameOf(call.callee, 'a source') !== 'from') throw new FluxEvaluationError('a pipeline must start with from');
  const name = textOf(argumentsOf(call).get('bucket'), 'bucket');
  const bucket = world.bucket(name);
  if (bucket === undefined) throw new BucketNotFoundError(`could not find bucket "${name}"`);
  return bucket.series().map((series) => {
    const tags = Object.entries(series.tags).map(([tag, value]) => [tag, { type: 'string', value }] as const);
    const labels: FluxRow = {
      _measurement: { type: 'string', value: series.measurement },
      _field: { type: 'string', value: series.field },
      ...Object.fromEntries(tags),
    };
    const rows = [...series.points]
      .sort(([a], [b]) => a - b)
      .map(([at, value]): FluxRow => ({ ...labels, _time: { type: 'dateTime:RFC3339', value: at }, _value: value }));
    return { key: Object.keys(labels), rows };
  });
}

function inRange(tables: FluxTable[], startMs: number, stopMs: number): FluxTable[] {
  if (startMs >= stopMs) throw new FluxEvaluationError('cannot query an empty range');
  const bounds: FluxRow = {
    _start: { type: 'dateTime:RFC3339', value: startMs },
    _stop: { type: 'dateTime:RFC3339', value: stopMs },
  };
  const inside = (row: FluxRow) => Number(row._time?.value) >= startMs && Number(row._time?.value) < stopMs;
  return withRows(tables, inside).map((table) => ({
    key: ['_start', '_stop', ...table.key],
    rows: table.rows.map((row) => ({ ...bounds, ...row })),
  }));
}

function withRows(tables: FluxTable[], keep: (row: FluxRow) => boolean): FluxTable[] {
  return tables
    .map((table) => ({ key: table.key, rows: table.rows.filter(keep) }))
    .filter((table) => table.rows.length > 0);
}

function keepColumns(tables: FluxTable[], columns: string[]): FluxTable[] {
  const kept = tables.map((table) => ({
    key: table.key.filter((column) => columns.includes(column)),
    rows: table.rows.map(
      (row): FluxRow => Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name))),
    ),
  }));
  const keys = [...new Set(kept.flatMap((table) => table.key))];
  return groupBy(kept, keys);
}

function sorted(tables: FluxTable[], columns: string[]): FluxTable[] {
  const [column, ...others] = columns;
  if (column === undefined || others.length > 0) throw new FluxEvaluationError('the emulator sorts by one column');
  const order = (row: FluxRow) => Number(row[column]?.value);
  return tables.map(({ key, rows }) => ({ key, rows: [...rows].sort((a, b) => order(a) - order(b)) }));
}

function derivatives(tables: FluxTable[], args: Map<string, FluxExpression>): FluxTable[] {
  const nonNegative = args.get('nonNegative');
  if (nonNegative?.type !== 'Identifier' || nonNegative.name !== 'true') {
    throw new FluxEvaluationError('the emulator needs nonNegative: true');
  }
  return growths(tables, durationMs(args.get('unit')));
}

function windows(args: Map<string, FluxExpression>, tables: FluxTable[]): FluxTable[] {
  const createEmpty = args.get('createEmpty');
  if (createEmpty?.type !== 'Identifier' || createEmpty.name !== 'false') {
    throw new FluxEvaluationError('the emulator needs createEmpty: false');
  }
  const timeSource = args.has('timeSrc') ? textOf(args.get('timeSrc'), 'timeSrc') : '_stop';
  if (timeSource !== '_start' && timeSource !== '_stop') throw new FluxEvaluationError('timeSrc is _start or _stop');
  return aggregateWindows(nameOf(args.get('fn'), 'fn'), tables, durationMs(args.get('every')), timeSource);
}
