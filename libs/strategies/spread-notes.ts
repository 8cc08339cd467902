/** Population standard deviations of used shares, as fractions. */
interface Spread {
  before: number;
  after: number;
}

/** Larger than what sums of fractions are off. */
const tolerance = 1e-9;

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

/**
 * What to say where a strategy with a threshold leaves a larger spread than there was. It relieves what is too full in
 * any case, which may be smaller than what takes from it, or emptier than the average.
 * @param relieved what is relieved, for people
 */
export function spreadNotes({ before, after }: Spread, relieved: string): string[] {
  if (after <= before + tolerance) return [];
  return [
    `the standard deviation of the used share rises from ${percent(before)} to ${percent(after)}: ${relieved} are relieved all the same`,
  ];
}
