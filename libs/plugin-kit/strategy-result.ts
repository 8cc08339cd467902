import { InvalidStrategyResultError } from './errors.ts';
import type { StrategyResult } from './strategy.ts';

/**
 * Checks the shape of a strategy's result, because plugins may be plain JavaScript. Throws InvalidStrategyResultError
 * that names the field.
 */
export function checkStrategyResult(strategy: string, value: unknown): StrategyResult {
  const fail = (field: string, reason: string) => new InvalidStrategyResultError(strategy, field, reason);
  if (!isRecord(value)) throw fail('result', 'must be an object with actions, indicators and report');
  if (!Array.isArray(value.actions)) throw fail('actions', 'must be an array');
  for (const [index, action] of value.actions.entries()) checkAction(action, `actions[${index}]`, fail);
  if (!isRecord(value.indicators)) throw fail('indicators', 'must be an object of numbers');
  for (const [name, number] of Object.entries(value.indicators)) {
    if (typeof number !== 'number' || !Number.isFinite(number)) {
      throw fail(`indicators.${name}`, `${String(number)} is not a finite number`);
    }
  }
  checkReport(value.report, fail);
  checkVariants(value.variants, fail);
  const { rank = [] } = value;
  if (!Array.isArray(rank) || !rank.every(Number.isFinite)) throw fail('rank', 'must be an array of finite numbers');
  const { leftAlone = [] } = value;
  if (!Array.isArray(leftAlone) || !leftAlone.every((host) => typeof host === 'string'))
    throw fail('leftAlone', 'must be an array of names of hosts');
  return value as unknown as StrategyResult;
}

type Fail = (field: string, reason: string) => InvalidStrategyResultError;

function checkAction(action: unknown, field: string, fail: Fail): void {
  if (!isRecord(action)) throw fail(field, 'must be an object');
  if (typeof action.actionType !== 'string' || action.actionType === '') {
    throw fail(`${field}.actionType`, 'must name an action type');
  }
  if (!isRecord(action.inputParameters)) throw fail(`${field}.inputParameters`, 'must be an object');
  const { reason } = action;
  if (!isRecord(reason) || typeof reason.summary !== 'string' || typeof reason.rule !== 'string') {
    throw fail(`${field}.reason`, 'must have rule, summary, values and rejected');
  }
  if (!Array.isArray(reason.values) || !Array.isArray(reason.rejected)) {
    throw fail(`${field}.reason`, 'values and rejected must be arrays');
  }
}

const mostVariants = 8;
const variantNumbers = ['budget', 'moves', 'gib', 'seconds', 'value', 'bound'];

function checkVariants(variants: unknown, fail: Fail): void {
  if (variants === undefined) return;
  if (!Array.isArray(variants) || variants.length > mostVariants)
    throw fail('variants', `must be an array of at most ${mostVariants}`);
  for (const [index, variant] of variants.entries()) {
    const field = `variants[${index}]`;
    if (!isRecord(variant) || !Array.isArray(variant.actions)) throw fail(field, 'must be an object with actions');
    const odd = variantNumbers.find((name) => !Number.isFinite(variant[name]));
    if (odd !== undefined) throw fail(`${field}.${odd}`, 'must be a finite number');
    for (const [at, action] of variant.actions.entries()) checkAction(action, `${field}.actions[${at}]`, fail);
  }
  const budgets = new Set(variants.map(({ budget }) => budget));
  if (budgets.size < variants.length) throw fail('variants', 'two have the same budget');
  const chosen = variants.filter((variant) => variant.chosen === true).length;
  if (variants.length > 0 && chosen !== 1) throw fail('variants', `one of them must be chosen, ${chosen} are`);
}

function checkReport(report: unknown, fail: Fail): void {
  if (!isRecord(report)) throw fail('report', 'must be an object');
  for (const field of ['hosts', 'instances']) {
    const counts = report[field];
    if (!isRecord(counts) || typeof counts.considered !== 'number' || typeof counts.eligible !== 'number') {
      throw fail(`report.${field}`, 'must have the numbers considered and eligible');
    }
  }
  if (!Array.isArray(report.blocked)) throw fail('report.blocked', 'must be an array');
  if (!Array.isArray(report.notes)) throw fail('report.notes', 'must be an array');
  if (report.emptyBecause !== null && typeof report.emptyBecause !== 'string') {
    throw fail('report.emptyBecause', 'must be a text, or null when there are actions');
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
