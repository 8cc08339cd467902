/**
 * Values of instances or hosts over time. The values of a step are adjacent, by row, because a replay reads whole
 * steps. Adjacent values by row would cost a cache miss for each value.
 */
export interface StepSeries {
  rows: number;
  /** The value of `row` at `step` is at `step * rows + row`. */
  values: Float32Array | Uint8Array;
  /** Unit of bytes: the value of 1. 255 is NaN. Default: values are unscaled. */
  byteUnit?: number;
}

/** Rows and steps that are transposed at a time, so that both sides stay in the cache. */
const tile = 64;

/** Transposes values by row, `values[row * steps + step]`, to a series by step. */
export function bySteps<Values extends Float32Array | Uint8Array>(
  values: Values,
  { rows, steps }: { rows: number; steps: number },
): { rows: number; values: Values } {
  const turned = values.slice() as Values;
  for (let row = 0; row < rows; row += tile) {
    for (let step = 0; step < steps; step += tile) turnTile(values, turned, { row, step, rows, steps });
  }
  return { rows, values: turned };
}

function turnTile(
  values: Float32Array | Uint8Array,
  turned: Float32Array | Uint8Array,
  from: { row: number; step: number; rows: number; steps: number },
): void {
  const { rows, steps } = from;
  const [lastRow, lastStep] = [Math.min(rows, from.row + tile), Math.min(steps, from.step + tile)];
  for (let row = from.row; row < lastRow; row += 1) {
    for (let step = from.step; step < lastStep; step += 1) {
      turned[step * rows + row] = values[row * steps + step] as number;
    }
  }
}

/** A series of rows of equal length. */
export function seriesOf(byRow: readonly Float32Array[]): StepSeries {
  const steps = byRow[0]?.length ?? 0;
  const values = new Float32Array(byRow.length * steps);
  for (const [row, own] of byRow.entries()) values.set(own, row * steps);
  return bySteps(values, { rows: byRow.length, steps });
}

/** Writes the values of all rows at a step into `target`. NaN: not known. */
export function readStep({ rows, values, byteUnit }: StepSeries, step: number, target: Float32Array): void {
  const start = step * rows;
  if (byteUnit === undefined) {
    target.set(values.subarray(start, start + rows));
    return;
  }
  for (let row = 0; row < rows; row += 1) {
    const byte = values[start + row] as number;
    target[row] = byte === 255 ? Number.NaN : byte * byteUnit;
  }
}
