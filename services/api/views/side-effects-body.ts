import { isSideEffect, type QuantityChange } from '#libs/domain';

const rounded = (share: number) => Math.round(share * 10) / 10;
const roundedPair = ({ before, after }: { before: number; after: number }) => ({
  before: rounded(before),
  after: rounded(after),
});

/**
 * Side effects of a plan as the API shows them, in tenths of a percent.
 * @param quantities stored with the plan. Undefined for plans of earlier releases
 * @returns null without stored quantities
 */
export function sideEffectsBody(quantities: readonly QuantityChange[] | undefined): object[] | null {
  if (quantities === undefined) return null;
  return quantities.filter(isSideEffect).map(({ quantity, deviation, highestBefore, fullest }) => ({
    quantity,
    deviation: roundedPair(deviation),
    highest_before: rounded(highestBefore),
    fullest: { hostname: fullest.hostname, ...roundedPair(fullest) },
  }));
}
