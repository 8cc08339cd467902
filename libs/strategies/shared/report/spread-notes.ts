/** Population standard deviations of used shares, as fractions. */
interface Spread {
  before: number;
  after: number;
}

/** Larger than the rounding error of sums of fractions. */
const tolerance = 1e-9;

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

/**
 * Notes for a strategy with a threshold that leaves a larger spread than before. It relieves full hosts in any case,
 * which may be smaller than the receiving host, or emptier than the average.
 * @param relieved the relieved quantity, for people
 */
export function spreadNotes({ before, after }: Spread, relieved: string): string[] {
  if (after <= before + tolerance) return [];
  return [
    `the standard deviation of the used share rises from ${percent(before)} to ${percent(after)}: ${relieved} are relieved all the same`,
  ];
}
