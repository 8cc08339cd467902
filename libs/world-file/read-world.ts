import { readFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { messageOf } from '#libs/domain';
import { checkWorld } from './check-world.ts';
import { inventoryTag } from './encode-world.ts';
import { largestBlock, loadTag, unpackLoad } from './load-sections.ts';
import { emptyLoad, type RecordedLoad } from './recorded-load.ts';
import { hasSections, readSections, type Section } from './sections.ts';
import type { WorldFile } from './world-file.ts';
import { WorldFileError } from './world-file.ts';

/** Bytes of an inventory at most, decompressed. */
const largestInventory = 128 << 20;
/** Samples of a recorded load at most: 20,000 instances and 1,000 hosts with five weeks. */
const mostSamples = 450_000_000;

/** A world, with its load if it was recorded. */
export interface RecordedWorld {
  world: WorldFile;
  load: RecordedLoad | null;
}

/**
 * Folders in which a world given by name is searched for: beside the source and, for compiled code, in the source
 * tree.
 */
function worldFolders(): string[] {
  const beside = fileURLToPath(new URL('../../services/simulator/worlds/', import.meta.url));
  const source = fileURLToPath(new URL('../../../services/simulator/worlds/', import.meta.url));
  return [beside, source];
}

/** Candidate paths for a world: a path as given, or a shipped name such as `azure2017-40`. */
function worldCandidates(nameOrPath: string): string[] {
  if (isAbsolute(nameOrPath) || nameOrPath.includes('/') || /\.(json(\.gz)?|world)$/.test(nameOrPath)) {
    return [nameOrPath, ...worldFolders().map((folder) => join(folder, basename(nameOrPath)))];
  }
  return [
    ...worldFolders().flatMap((folder) => [
      join(folder, `${nameOrPath}.json.gz`),
      join(folder, `${nameOrPath}.json`),
      join(folder, `${nameOrPath}.world`),
    ]),
    nameOrPath,
  ];
}

/** Reads and checks the inventory of a world. Throws WorldFileError with one line that names the fault. */
export async function readWorld(nameOrPath: string): Promise<WorldFile> {
  return (await readRecordedWorld(nameOrPath)).world;
}

/**
 * Reads and checks a world: JSON, plain or gzipped, or a recorded one with its load.
 * @throws WorldFileError with one line that names the fault
 */
export async function readRecordedWorld(nameOrPath: string): Promise<RecordedWorld> {
  return decodeWorld(await readFirst(worldCandidates(nameOrPath), nameOrPath), nameOrPath);
}

/** As `readRecordedWorld`, of bytes. `file` is for messages. */
export function decodeWorld(bytes: Buffer, file: string): RecordedWorld {
  if (!hasSections(bytes)) {
    const world = checkWorld(parse(plainText(bytes, file), file), file);
    return { world, load: null };
  }
  const limits: Record<string, number> = { [inventoryTag]: largestInventory, [loadTag]: largestBlock };
  let read: RecordedWorld | null = null;
  for (const section of readSections(bytes, file, (tag) => limits[tag])) {
    if (section.tag === inventoryTag) read = readInventory(section, read, file);
    else if (read?.load) unpackLoad(section, read.load, file);
    else throw new WorldFileError(file, 'load', 'it precedes the inventory, or the inventory has no recording');
  }
  if (read === null) throw new WorldFileError(file, '', 'it has no inventory');
  return read;
}

function readInventory({ content }: Section, before: RecordedWorld | null, file: string): RecordedWorld {
  if (before !== null) throw new WorldFileError(file, '', 'it has two inventories');
  const world = checkWorld(parse(content.toString('utf8'), file), file);
  const { recording } = world;
  if (recording === undefined) return { world, load: null };
  const [servers, hosts] = [world.servers.length, world.hosts.length];
  if (2 * (servers + hosts) * recording.steps > mostSamples)
    throw new WorldFileError(file, 'recording.steps', `more than ${mostSamples} samples are not read`);
  const period = {
    startMs: Date.parse(recording.start),
    stepSeconds: recording.step_seconds,
    steps: recording.steps,
  };
  const load = emptyLoad({ servers, hosts }, period);
  return { world, load: { ...load, percentStep: recording.percent_step ?? load.percentStep } };
}

async function readFirst(paths: string[], label: string): Promise<Buffer> {
  for (const path of paths) {
    try {
      return await readFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        throw new WorldFileError(label, '', messageOf(error), { cause: error });
      }
    }
  }
  throw new WorldFileError(label, '', 'no such file, and no bundled world of that name');
}

function plainText(bytes: Buffer, label: string): string {
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: largestInventory }) : bytes;
    return plain.toString('utf8');
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const reason = isLarge ? `it has more than ${largestInventory} bytes` : `not JSON (${messageOf(error)})`;
    throw new WorldFileError(label, '', reason, { cause: error });
  }
}

function parse(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WorldFileError(label, '', `not JSON (${messageOf(error)})`, { cause: error });
  }
}
