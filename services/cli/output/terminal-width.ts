import type { CliContext } from '../cli-context.ts';
import type { OutputOptions } from './output-options.ts';

type Env = CliContext['env'];

/** Width of a terminal that does not know its own, in characters. */
const usualWidth = 80;

/**
 * Width of the terminal in characters: `COLUMNS`, else the width it reports, else 80.
 * @param reported undefined or 0 where the terminal does not know it.
 */
export function terminalWidth(env: Env, reported?: number): number {
  return positiveNumber(env.COLUMNS) ?? positiveNumber(reported) ?? usualWidth;
}

/**
 * Width that a table must fit, in characters: that of `--max-width` or `CLIFF_MAX_TERM_WIDTH`, else that of the
 * terminal. Undefined: no limit, as in a pipe without `--fit-width` or `CLIFF_FIT_WIDTH`.
 */
export function tableWidth(
  { columns, env }: CliContext,
  { maxWidth, fitWidth, wide }: OutputOptions,
): number | undefined {
  if (wide) return undefined;
  const limit = maxWidth ?? positiveNumber(env.CLIFF_MAX_TERM_WIDTH);
  if (limit !== undefined) return positiveNumber(limit);
  if (columns !== undefined) return columns;
  return fitWidth || env.CLIFF_FIT_WIDTH === '1' ? terminalWidth(env) : undefined;
}

function positiveNumber(given: string | number | undefined): number | undefined {
  const number = Number(given ?? 0);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
