import pg from 'pg';
import { type Logger, messageOf } from '#libs/domain';
import { checkUrl, describeUrl, explainConnectError } from './explain-connect-error.ts';

/**
 * A connection outside the pool, for session locks and LISTEN. The caller ends it.
 * @throws OperatorError when the server can not be reached or refuses the user
 */
export async function connectDirect(url: string, applicationName: string, logger: Logger): Promise<pg.Client> {
  checkUrl(url);
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on('error', (error) => {
    logger.warn({ database: describeUrl(url), reason: messageOf(error) }, 'database connection lost');
  });
  try {
    await client.connect();
  } catch (error) {
    throw explainConnectError(error, url);
  }
  return client;
}
