import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { postgresHostOf, postgresUrlsOf } from '#libs/postgres';

/** Addresses by dependency that worked when they were last used, without user and password. */
export type KnownEndpoints = Record<string, string[]>;

/** Content of the file. Nothing when it is missing or damaged: it only helps where the configured addresses do not. */
export async function readKnownEndpoints(path: string): Promise<KnownEndpoints> {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof content !== 'object' || content === null) return {};
    return Object.fromEntries(Object.entries(content).filter(([, list]) => isTextList(list)));
  } catch {
    return {};
  }
}

/**
 * Replaces the file as a whole: a crash at any point leaves either the old or the new content, and the new one is on
 * the disk when this resolves.
 */
export async function writeKnownEndpoints(path: string, endpoints: KnownEndpoints): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.new`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(endpoints, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Remembered hosts of the cluster of a database URL. A list without a common host belongs to another cluster: processes
 * must never use a database that they were moved off.
 */
export function knownHostsOf(databaseUrl: string, known: readonly string[]): readonly string[] {
  const configured = (postgresUrlsOf(databaseUrl) ?? []).map(postgresHostOf);
  return known.some((host) => configured.includes(host)) ? known : [];
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
