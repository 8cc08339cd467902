import type pg from 'pg';
import { type Logger, messageOf } from '#libs/domain';
import { connectClient, describePostgresUrl } from '#libs/postgres';
import { checkUrl, explainConnectError } from './explain-connect-error.ts';

/**
 * A connection to the primary outside the pool, for long work and, with `waits`, for session locks and LISTEN. The
 * caller ends it.
 * @throws OperatorError when the server cannot be reached or refuses the user
 */
export async function connectDirect(
  url: string,
  applicationName: string,
  logger: Logger,
  options: { waits?: boolean } = {},
): Promise<pg.Client> {
  checkUrl(url);
  try {
    return await connectClient({ url, logger, applicationName, ...options }, (error) => {
      logger.info({ database: describePostgresUrl(url), reason: messageOf(error) }, 'database connection lost');
    });
  } catch (error) {
    throw explainConnectError(error, url);
  }
}
