import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InvalidInputError, messageOf } from '#libs/domain';

/** CPU load of virtual machines, in percent of the machine's CPUs: one array of equally spaced samples for each. */
export type Traces = readonly Float32Array[];

async function readText(file: string): Promise<string> {
  const content = await readFile(file);
  const isGzip = content[0] === 0x1f && content[1] === 0x8b;
  return (isGzip ? gunzipSync(content) : content).toString('utf8');
}

function percentsOf(texts: readonly string[], place: string): Float32Array {
  return Float32Array.from(texts, (text, index) => {
    const percent = Number(text);
    if (text.trim() === '' || !(percent >= 0 && percent <= 100))
      throw new InvalidInputError('--traces', `${place}, value ${index + 1} must be 0 to 100, not "${text.trim()}"`);
    return percent;
  });
}

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

/** A line for each virtual machine: its number and its percentages. */
async function readTable(file: string): Promise<Float32Array[]> {
  return linesOf(await readText(file)).map((line, row) => {
    const [, ...percents] = line.split(',');
    return percentsOf(percents, `${file}:${row + 1}`);
  });
}

/** A file for each virtual machine with a percentage in each line, as PlanetLab's traces are published. */
async function readFolder(folder: string): Promise<Float32Array[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => percentsOf(linesOf(await readText(join(folder, name))), join(folder, name))),
  );
}

/**
 * Reads a table (`NUMBER,PERCENT,…` for each virtual machine) or a folder with a file for each. Files may be gzipped.
 * @throws InvalidInputError when it cannot be read, has no values, values that are no percentages, or unequal lengths.
 */
export async function readTraces(path: string): Promise<Traces> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    (error) => {
      throw new InvalidInputError('--traces', `cannot be read: ${messageOf(error)}`, { cause: error });
    },
  );
  const traces = isFolder ? await readFolder(path) : await readTable(path);
  const steps = traces[0]?.length ?? 0;
  if (steps === 0) throw new InvalidInputError('--traces', `${path} has no percentages`);
  const odd = traces.findIndex(({ length }) => length !== steps);
  if (odd >= 0)
    throw new InvalidInputError('--traces', `machine ${odd + 1} has ${traces[odd]?.length} values, the first ${steps}`);
  return traces;
}
