import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, OperatorError } from '#libs/domain';
import { backReference, locationFile } from './server-home.ts';
import { readOwner, stopLeftServer } from './server-processes.ts';

/** Folder outside `dataDir` in which its server keeps the database. Null when it is in `dataDir`, or unknown. */
export function homeOf(dataDir: string): string | null {
  const location = join(dataDir, locationFile);
  if (!existsSync(location)) return null;
  const home = readFileSync(location, 'utf8').trim();
  return existsSync(join(home, backReference)) ? home : null;
}

/**
 * Removes a data folder, and the outer folder with its database. Stops a server that a killed process left there
 * first.
 * @throws OperatorError when a living process uses it, or the outer folder belongs to another data folder
 */
export async function removeEmbeddedPostgres(dataDir: string, logger: Logger): Promise<void> {
  if (!existsSync(dataDir)) return;
  const home = homeOf(dataDir);
  if (home !== null && readFileSync(join(home, backReference), 'utf8') !== dataDir)
    throw new OperatorError(`${home} contains the database of another folder than ${dataDir}; it is not removed`);
  for (const folder of [dataDir, ...(home ? [home] : [])]) {
    const owner = readOwner(folder);
    if (owner !== null) throw new OperatorError(`process ${owner} uses the database in ${folder}; stop it first`);
    await stopLeftServer(folder, logger);
  }
  if (home !== null) await rm(home, { recursive: true });
  await rm(dataDir, { recursive: true });
}
