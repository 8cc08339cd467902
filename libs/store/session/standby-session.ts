import type { DataSource } from 'typeorm';
import { type Logger, messageOf } from '#libs/domain';
import { findStandby, postgresHostOf } from '#libs/postgres';
import { openDataSource } from '../connection/data-source.ts';
import { StoreUnavailableError } from '../errors.ts';
import { boundSession, type Session } from './session.ts';

/** Settings for reading from standbys. */
export interface StandbyOptions {
  /** URL with the primary and its standbys. */
  url: string;
  logger: Logger;
  applicationName: string;
  /** Whether it is known that there is no primary. */
  isNeeded(): boolean;
}

/** A session that reads from a standby while there is no primary. */
export interface StandbySession extends Session {
  close(): Promise<void>;
}

const limitMs = 3000;
const poolSize = 5;

/**
 * Sends reads of `primary` to the most advanced standby while there is no primary. Writes always go to `primary`. Rows
 * of the standby may be older than confirmed writes.
 */
export function createStandbySession(primary: Session, options: StandbyOptions): StandbySession {
  const { url, logger, applicationName, isNeeded } = options;
  let opened: Promise<DataSource> | null = null;
  /** The primary was tried without success since the detection of its loss. */
  let isPrimaryDown = false;

  async function open(): Promise<DataSource> {
    try {
      const standby = await findStandby(url, limitMs);
      logger.warn({ server: postgresHostOf(standby) }, 'PostgreSQL has no primary: reading from a standby');
      return await openDataSource({ url: standby, logger, poolSize, applicationName: `${applicationName}-standby` });
    } catch (error) {
      throw new StoreUnavailableError(messageOf(error), { cause: error });
    }
  }

  async function close(): Promise<void> {
    const former = opened;
    opened = null;
    await former?.then((dataSource) => dataSource.destroy()).catch(() => undefined);
  }

  const readOnce: Session['read'] = async (work) => {
    opened ??= open();
    const current = opened;
    try {
      return await boundSession((await current).manager).read(work);
    } catch (error) {
      if (opened === current && error instanceof StoreUnavailableError) await close();
      throw error;
    }
  };

  /** When the current standby is unavailable too, another one is searched for. */
  const readStandby: Session['read'] = async (work) => {
    if (opened === null) return readOnce(work);
    return readOnce(work).catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) return readOnce(work);
      throw error;
    });
  };

  return {
    ...primary,
    async read(work) {
      if (!isNeeded()) isPrimaryDown = false;
      if (isPrimaryDown) return readStandby(work);
      try {
        return await primary.read(work);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || !isNeeded()) throw error;
        const found = await readStandby(work);
        isPrimaryDown = true;
        return found;
      }
    },
    close,
  };
}
