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

/** What was measured before the first action of a plan and after its last. */
export interface Measured {
  before?: Measurement | null;
  after?: Measurement | null;
}

/** One measure: as predicted, before and after. Undefined or null: not known. */
export interface OutcomeRow {
  name: string;
  unit: string | null;
  predicted: number | null | undefined;
  before: number | null | undefined;
  after: number | null | undefined;
}

/** The goal's measures with what was predicted, then those of the whole cluster. */
export function outcomeRows(indicators: readonly Indicator[], measured: Measured | null): OutcomeRow[] {
  const { before, after } = measured ?? {};
  const goal = new Set([
    ...indicators.map(({ name }) => name),
    ...Object.keys(before?.goal ?? {}),
    ...Object.keys(after?.goal ?? {}),
  ]);
  const cluster = new Set([...Object.keys(before?.cluster ?? {}), ...Object.keys(after?.cluster ?? {})]);
  return [
    ...[...goal].map((name) => {
      const predicted = indicators.find((indicator) => indicator.name === name);
      return {
        name,
        unit: predicted?.unit ?? null,
        predicted: predicted?.value,
        before: before?.goal?.[name],
        after: after?.goal?.[name],
      };
    }),
    ...[...cluster]
      .filter((name) => !goal.has(name))
      .map((name) => ({
        name,
        unit: null,
        predicted: null,
        before: before?.cluster?.[name],
        after: after?.cluster?.[name],
      })),
  ];
}
