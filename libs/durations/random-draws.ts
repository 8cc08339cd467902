/** Actions of a draw whose numbers are kept: lists of plans draw the same numbers for each plan. */
const keptActions = 4096;
const kept: Float64Array[] = [];

/** Standard normal number of an action in a draw: the same in every call (splitmix32 of both numbers). */
export function drawNormal(draw: number, action: number): number {
  if (action >= keptActions) return normalOf(draw, action);
  kept[draw] ??= new Float64Array(keptActions).fill(Number.NaN);
  const known = kept[draw][action]!;
  if (!Number.isNaN(known)) return known;
  const drawn = normalOf(draw, action);
  kept[draw][action] = drawn;
  return drawn;
}

function normalOf(draw: number, action: number): number {
  let state = (Math.imul(draw + 1, 0x9e3779b1) ^ Math.imul(action + 1, 0x85ebca6b)) >>> 0;
  state = (state + 0x9e3779b9) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return normalQuantile((((mixed ^ (mixed >>> 15)) >>> 0) + 0.5) / 2 ** 32);
}

/** Quantile of the standard normal distribution by Acklam's rational approximation. Relative error below 1.2e-9. */
export function normalQuantile(share: number): number {
  if (share < 0.02425) {
    const tail = Math.sqrt(-2 * Math.log(share));
    return polynomial(tailTop, tail) / (polynomial(tailBottom, tail) * tail + 1);
  }
  if (share > 1 - 0.02425) return -normalQuantile(1 - share);
  const middle = share - 0.5;
  const square = middle * middle;
  return (polynomial(middleTop, square) * middle) / (polynomial(middleBottom, square) * square + 1);
}

const middleTop = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
];
const middleBottom = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
const tailTop = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const tailBottom = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];

/** Value of a polynomial whose coefficient of the highest power is the first. */
function polynomial(coefficients: readonly number[], at: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * at + coefficient;
  return sum;
}
