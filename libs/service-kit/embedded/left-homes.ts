import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { type Logger, messageOf } from '#libs/domain';
import type { Account } from './server-account.ts';
import { backReference, findSystemFolder, homePrefix } from './server-home.ts';
import { readOwner, stopLeftServer } from './server-processes.ts';

/** Names that `mkdtemp` creates from the prefix. */
const homeName = new RegExp(`^${homePrefix}[A-Za-z0-9]{6}$`);

/**
 * Removes homes whose data folder was temporary and was removed. They are unreachable. A server that still runs there
 * without an owner is stopped first. Other homes stay, because their data folder may return. Never rejects.
 */
export async function clearLeftHomes(account: Account, logger: Logger): Promise<void> {
  const base = findSystemFolder(account);
  if (base === null) return;
  for (const home of readdirSync(base).filter((name) => homeName.test(name))) {
    try {
      await clear(join(base, home), logger);
    } catch (error) {
      logger.warn({ home, error: messageOf(error) }, 'cannot remove unreachable database');
    }
  }
}

async function clear(home: string, logger: Logger): Promise<void> {
  const dataDir = dataFolderOf(home);
  if (dataDir === null || !dataDir.startsWith(realpathSync(tmpdir()) + sep) || exists(dataDir)) return;
  if (readOwner(home) !== null) return;
  await stopLeftServer(home, logger);
  await rm(home, { recursive: true, force: true });
  logger.info({ home, dataDir }, 'removed the database of a deleted temporary folder');
}

/** The data folder of a home. Null for a folder that is not a home. */
function dataFolderOf(home: string): string | null {
  const reference = join(home, backReference);
  const isOurs = (path: string) => lstatSync(path).uid === process.getuid?.();
  if (!lstatSync(home).isDirectory() || !isOurs(home) || !exists(reference)) return null;
  return lstatSync(reference).isFile() && isOurs(reference) ? readFileSync(reference, 'utf8') : null;
}

/** Whether the path exists. True for a path that cannot be checked. */
function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
