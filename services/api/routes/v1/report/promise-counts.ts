import { type PromiseVerdict, promisedQuantities } from '#libs/domain';
import type { PromiseCount } from '#libs/store';

/**
 * One entry for each strategy and quantity, in the order of the names of strategies and of `promisedQuantities`. A
 * verdict without plans counts 0.
 */
export function promiseCounts(counts: readonly PromiseCount[]) {
  const strategies = [...new Set(counts.map(({ strategyName }) => strategyName))];
  return strategies.flatMap((strategyName) =>
    promisedQuantities.flatMap((quantity) => {
      const own = counts.filter((entry) => entry.strategyName === strategyName && entry.quantity === quantity);
      const plans = (verdict: PromiseVerdict) => own.find((entry) => entry.verdict === verdict)?.plans ?? 0;
      return own.length === 0
        ? []
        : {
            strategy_name: strategyName,
            quantity,
            within: plans('WITHIN'),
            below: plans('BELOW'),
            above: plans('ABOVE'),
            not_measured: plans('NOT_MEASURED'),
            not_attributable: plans('NOT_ATTRIBUTABLE'),
          };
    }),
  );
}
