import type { Logger } from '#libs/domain';
import { connectDirect } from '../connection/direct-client.ts';

/** A session advisory lock on a name. It ends with the connection, and so with the process. */
export interface NameLock {
  /** The locked candidate. */
  name: string;
  /** Ensures that the lock is held, on a new connection if necessary. False when another process has it. */
  confirm(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Locks the first free name of `names`. @returns null when none is free @throws OperatorError when the database cannot
 * be reached
 */
export async function lockName(
  settings: { url: string; logger: Logger; applicationName: string },
  names: readonly string[],
): Promise<NameLock | null> {
  const open = async () => {
    const client = await connectDirect(settings.url, settings.applicationName, settings.logger, { waits: true });
    let isOpen = true;
    client.once('end', () => {
      isOpen = false;
    });
    return { client, isOpen: () => isOpen };
  };
  let connection = await open();

  async function tryLock(name: string): Promise<boolean> {
    const { rows } = await connection.client.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
      [`vigil:service:${name}`],
    );
    return rows[0]?.locked === true;
  }

  async function firstFree(): Promise<string | null> {
    for (const name of names) if (await tryLock(name)) return name;
    return null;
  }

  const name = await firstFree().catch(async (error: unknown) => {
    await connection.client.end().catch(() => undefined);
    throw error;
  });
  if (name === null) {
    await connection.client.end();
    return null;
  }
  return {
    name,
    async confirm() {
      if (connection.isOpen()) {
        await connection.client.query('SELECT 1');
        return true;
      }
      connection = await open();
      if (await tryLock(name)) return true;
      await connection.client.end();
      return false;
    },
    release: async () => {
      await connection.client.end().catch(() => undefined);
    },
  };
}
