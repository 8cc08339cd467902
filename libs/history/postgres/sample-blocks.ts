import type { Sample } from '../history-port.ts';

/** All samples of one metric at one moment: a row of `history_blocks`. */
export interface SampleBlock {
  metric: string;
  at: number;
  /** Value by resource name. A resource has one value per moment, the last written one. */
  values: Map<string, number>;
}

/** Groups samples into blocks. The order within a block does not matter. */
export function groupIntoBlocks(samples: readonly Sample[]): SampleBlock[] {
  const blocks = new Map<string, SampleBlock>();
  for (const sample of samples) {
    const at = Math.floor(sample.at);
    const key = `${sample.metric} ${at}`;
    let block = blocks.get(key);
    if (block === undefined) {
      block = { metric: sample.metric, at, values: new Map() };
      blocks.set(key, block);
    }
    block.values.set(sample.resource, sample.value);
  }
  return [...blocks.values()];
}
