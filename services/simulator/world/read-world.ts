import { readFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { messageOf } from '#libs/domain';
import { WorldFileError } from '../errors.ts';
import { checkWorld } from './check-world.ts';
import type { WorldFile } from './world-file.ts';

/**
 * Folders in which a world given by name is searched for: beside the source and, for compiled code, in the source tree.
 */
function worldFolders(): string[] {
  const beside = fileURLToPath(new URL('../worlds/', import.meta.url));
  const source = fileURLToPath(new URL('../../../../services/simulator/worlds/', import.meta.url));
  return [beside, source];
}

/** Candidate paths for a world: a path as given, or a shipped name such as `azure2017-40`. */
export function worldCandidates(nameOrPath: string): string[] {
  if (isAbsolute(nameOrPath) || nameOrPath.includes('/') || /\.json(\.gz)?$/.test(nameOrPath)) {
    return [nameOrPath, ...worldFolders().map((folder) => join(folder, basename(nameOrPath)))];
  }
  return worldFolders().flatMap((folder) => [
    join(folder, `${nameOrPath}.json.gz`),
    join(folder, `${nameOrPath}.json`),
  ]);
}

/** Reads and checks a world, plain or gzipped. Throws WorldFileError with one line that names the fault. */
export async function readWorld(nameOrPath: string): Promise<WorldFile> {
  const bytes = await readFirst(worldCandidates(nameOrPath), nameOrPath);
  return checkWorld(parse(bytes, nameOrPath), nameOrPath);
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

function parse(bytes: Buffer, label: string): unknown {
  try {
    const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
    return JSON.parse(plain.toString('utf8'));
  } catch (error) {
    throw new WorldFileError(label, '', `not JSON (${messageOf(error)})`, { cause: error });
  }
}
