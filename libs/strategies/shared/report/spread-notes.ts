/** Population standard deviations of used shares, as fractions. */
interface Spread {
  before: number;
  after: number;
}

/** Larger than rounding errors of sums of fractions. */
const tolerance = 1e-9;

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

/**
 * Notes for a strategy with a threshold that increases the spread. It relieves full hosts anyway. Such a host may be
 * smaller than the receiving host, or emptier than the average.
 * @param relieved the relieved quantity, as text
 */
export function spreadNotes({ before, after }: Spread, relieved: string): string[] {
  if (after <= before + tolerance) return [];
  return [
    `the standard deviation of the used share rises from ${percent(before)} to ${percent(after)}: ${relieved} are relieved all the same`,
  ];
}
