/**
 * Ages, in seconds and oldest first, of the moments that a back-fill writes. They get closer towards now (age =
 * window x (i/n)^2, but never closer than `stepSeconds`), and there are at most `sampleBudget / perMoment` of them (at
 * least 4), so the volume is bounded whatever the size of the cloud.
 */
export function backFillAges(options: {
  windowSeconds: number;
  stepSeconds: number;
  perMoment: number;
  sampleBudget: number;
}): number[] {
  const { windowSeconds, stepSeconds, perMoment, sampleBudget } = options;
  if (windowSeconds <= 0) return [];
  const most = Math.max(4, Math.floor(sampleBudget / Math.max(1, perMoment)));
  const count = Math.max(1, Math.min(most, Math.floor(windowSeconds / stepSeconds)));
  const ages = new Set<number>();
  for (let index = 1; index <= count; index++) {
    const age = Math.max(index * stepSeconds, windowSeconds * (index / count) ** 2);
    ages.add(Math.min(windowSeconds, age));
  }
  return [...ages].sort((a, b) => b - a);
}
