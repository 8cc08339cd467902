import { type LoadColumn, loadColumns, type RecordedLoad } from './recorded-load.ts';
import { packSection, type Section } from './sections.ts';
import { WorldFileError } from './world-file.ts';

/** Tag of a block of recorded load. */
export const loadTag = 'LOAD';
/** Bytes before the samples of a block: column, coding, two zeros, first row, rows. */
const blockHead = 12;
/** Samples of a block, roughly. A block is decompressed at once. */
const blockSamples = 4 << 20;
/** Plain bytes of a block at most. One row always fits. */
export const largestBlock = blockHead + 2 * blockSamples;

/** How the samples of a row are written: as they are, or each as its difference to the one before, modulo 256. */
const codings = { plain: 0, delta: 1 } as const;

/** The blocks of a load, packed. Of both codings each block has the smaller one. */
export function packLoad(load: RecordedLoad): Buffer[] {
  const rowsOfBlock = Math.max(1, Math.floor(blockSamples / Math.max(1, load.steps)));
  return loadColumns.flatMap((name, column) => {
    const samples = load.columns[name];
    const rows = load.steps === 0 ? 0 : samples.length / load.steps;
    const blocks: Buffer[] = [];
    for (let first = 0; first < rows; first += rowsOfBlock) {
      const count = Math.min(rowsOfBlock, rows - first);
      const part = samples.subarray(first * load.steps, (first + count) * load.steps);
      const pack = (coding: number, body: Uint8Array) =>
        packSection({ tag: loadTag, content: Buffer.concat([headOf(column, coding, first, count), body]) });
      const [plain, delta] = [pack(codings.plain, part), pack(codings.delta, differences(part, load.steps))];
      blocks.push(delta.length < plain.length ? delta : plain);
    }
    return blocks;
  });
}

function headOf(column: number, coding: number, first: number, count: number): Buffer {
  const head = Buffer.alloc(blockHead);
  head[0] = column;
  head[1] = coding;
  head.writeUInt32LE(first, 4);
  head.writeUInt32LE(count, 8);
  return head;
}

function differences(samples: Uint8Array, steps: number): Uint8Array {
  return samples.map((sample, at) => (at % steps === 0 ? sample : sample - (samples[at - 1] as number)));
}

/** Adds up differences, in place. */
function addUp(samples: Uint8Array, steps: number): void {
  for (let at = 0; at < samples.length; at += 1)
    if (at % steps !== 0) samples[at] = (samples[at] as number) + (samples[at - 1] as number);
}

/** Writes the samples of a block into the load. Throws WorldFileError when they do not fit the inventory. */
export function unpackLoad({ content }: Section, load: RecordedLoad, file: string): void {
  const fail = (reason: string) => new WorldFileError(file, 'load', reason);
  if (content.length < blockHead) throw fail('a block is too short');
  const name = loadColumns[content[0] as number] as LoadColumn | undefined;
  const coding = content[1] as number;
  if (name === undefined) throw fail(`there is no column ${content[0]}`);
  if (coding > codings.delta) throw fail(`there is no coding ${coding}`);
  const [first, count] = [content.readUInt32LE(4), content.readUInt32LE(8)];
  const samples = new Uint8Array(content.subarray(blockHead));
  if (samples.length !== count * load.steps) throw fail('a block has another size than it says');
  if ((first + count) * load.steps > load.columns[name].length) throw fail(`${name} has more rows than the inventory`);
  if (coding === codings.delta) addUp(samples, load.steps);
  load.columns[name].set(samples, first * load.steps);
}
