import type { IndicatorDefinition } from '#libs/plugin-kit';

/** An indicator that counts things. */
export function countIndicator(name: string, description: string, required = true): IndicatorDefinition {
  return { name, description, unit: null, required, schema: { type: 'integer', minimum: 0 } };
}

/** An indicator that is a standard deviation of normalised loads. */
export function deviationIndicator(name: string, description: string): IndicatorDefinition {
  return { name, description, unit: null, required: false, schema: { type: 'number', minimum: 0 } };
}

/** `part` of `whole` in percent; 0 when either is 0 or missing. */
export function percentage(part: number | undefined, whole: number | undefined): number {
  return part && whole ? (part / whole) * 100 : 0;
}
