import { gainedShare, indicatorText, indicatorTitle, quantities, quantitiesOf, withUnits } from './indicators.ts';
import type { PlanMeasurement } from './outcome-effect.ts';

/** A number with a name, as goals declare them. */
export interface Indicator {
  name: string;
  description?: string | null;
  unit?: string | null;
  value?: number | null;
}

interface Measurement {
  goal?: Record<string, number | null>;
  cluster?: Record<string, number | null>;
}

/** Values measured before the first action of a plan and after its last. */
export interface Measured {
  before?: Measurement | null;
  after?: Measurement | null;
  measurement?: PlanMeasurement | null;
}

/**
 * One quantity: when the plan was made, as predicted, measured before the first action, and achieved. `–` where it is
 * not known. A value after the plan counts as achieved only where the measurement is `ACHIEVED`.
 */
export interface OutcomeRow {
  title: string;
  planned: string;
  predicted: string;
  before: string;
  achieved: string;
}

/**
 * Quantities of the goal, then those of the whole cluster. The goal is measured by running its strategy: its findings
 * are measured values. Its next proposals are left out. Numbers use `locale` (default English).
 * @param plan its strategy determines the title and the unit of the quantity
 */
export function outcomeRows(
  { indicators: known, strategy }: { indicators: readonly Indicator[]; strategy: string | null | undefined },
  measured: Measured | null,
  locale = 'en',
): OutcomeRow[] {
  const indicators = withUnits(known, strategy);
  const written = (name: string, value: number | null | undefined, unit?: string | null) =>
    indicatorText(name, value, unit, locale);
  const { before, measurement } = measured ?? {};
  const after = measurement?.state === 'ACHIEVED' ? measured?.after : undefined;
  const find = (name: string) => indicators.find((indicator) => indicator.name === name);
  const planned = (name: string) => find(name)?.value;
  const unitOf = (name: string) => find(name)?.unit;
  const paired = quantitiesOf(strategy)
    .filter((quantity) => planned(quantity.before) !== undefined)
    .map((quantity) => ({
      title: quantity.title,
      planned: written(quantity.before, planned(quantity.before), unitOf(quantity.before)),
      predicted: written(quantity.after, planned(quantity.after), unitOf(quantity.after)),
      before: written(quantity.before, before?.goal?.[quantity.before], unitOf(quantity.before)),
      achieved: written(quantity.before, after?.goal?.[quantity.before], unitOf(quantity.before)),
    }));
  const cluster = new Set([...Object.keys(before?.cluster ?? {}), ...Object.keys(after?.cluster ?? {})]);
  return [
    ...paired,
    ...[...cluster].map((name) => ({
      title: indicatorTitle(name),
      planned: '–',
      predicted: '–',
      before: written(name, before?.cluster?.[name]),
      achieved: written(name, after?.cluster?.[name]),
    })),
  ];
}

/** Facts about the plan itself: indicators without those of the outcome, and without the points of `gained_ratio`. */
export function planFacts(indicators: readonly Indicator[]): Indicator[] {
  const paired = new Set<string>(quantities.flatMap(({ before, after }) => [before, after]));
  if (gainedShare(indicators) !== undefined) paired.add('points_before_audit').add('points_after_audit');
  return indicators.filter(({ name }) => !paired.has(name));
}
