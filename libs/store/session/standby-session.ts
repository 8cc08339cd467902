import type { DataSource } from 'typeorm';
import { type Logger, messageOf } from '#libs/domain';
import { findStandby, postgresHostOf } from '#libs/postgres';
import { openDataSource } from '../connection/data-source.ts';
import { StoreUnavailableError } from '../errors.ts';
import { boundSession, type Session } from './session.ts';

/** What reading from standbys needs. */
export interface StandbyOptions {
  /** With the primary and its standbys. */
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
 * Reads of `primary` that go to the standby that has got furthest while there is no primary; writes are those of `primary`
 * in any case. What the standby answers may be older than what was confirmed.
 */
export function createStandbySession(primary: Session, options: StandbyOptions): StandbySession {
  const { url, logger, applicationName, isNeeded } = options;
  let opened: Promise<DataSource> | null = null;
  /** The primary was tried in vain since it is known that there is none. */
  let isPrimaryGone = false;

  async function open(): Promise<DataSource> {
    const standby = await findStandby(url, limitMs).catch((error: unknown) => {
      throw new StoreUnavailableError(messageOf(error), { cause: error });
    });
    logger.warn({ server: postgresHostOf(standby) }, 'PostgreSQL has no primary: what is read comes from a standby');
    return openDataSource({ url: standby, logger, poolSize, applicationName: `${applicationName}-standby` });
  }

  async function close(): Promise<void> {
    const former = opened;
    opened = null;
    await former?.then((dataSource) => dataSource.destroy()).catch(() => undefined);
  }

  /** Another standby is looked for once when the one that served before is gone too. */
  const readStandby: Session['read'] = async (work) => {
    for (let attempt = 1; ; attempt++) {
      const isNew = opened === null;
      opened ??= open();
      const current = opened;
      try {
        return await boundSession((await current).manager).read(work);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        if (opened === current) await close();
        if (isNew || attempt > 1) throw error;
      }
    }
  };

  return {
    ...primary,
    async read(work) {
      if (!isNeeded()) isPrimaryGone = false;
      if (isPrimaryGone) return readStandby(work);
      try {
        return await primary.read(work);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || !isNeeded()) throw error;
        const found = await readStandby(work);
        isPrimaryGone = true;
        return found;
      }
    },
    close,
  };
}
