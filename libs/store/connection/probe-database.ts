import { randomInt } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { StoreUnavailableError } from '../errors.ts';
import { checkUrl, explainConnectError } from './explain-connect-error.ts';
import { requireUsableSchema } from './guards.ts';
import { readSchemaStatus } from './schema-status.ts';
import { faultOf } from './translate-error.ts';

/** The store's own probe uses row 1. This probe uses higher numbers. */
const firstRow = 2;
const lastRow = 2 ** 31 - 1;
/** SQLSTATE of a write in a read-only transaction. */
const readOnlyState = '25006';

/**
 * Uses the database as processes do, on a separate connection outside of any pool: it must be the primary, have the
 * schema of this version, and keep a row that is written, read back and deleted in one transaction, timed by the
 * database.
 * @throws OperatorError when it cannot be reached, refuses the user or has another schema
 * @throws StoreUnavailableError when it is a standby or does not keep the row
 */
export async function probeDatabase(url: string, options: { signal: AbortSignal; timeoutMs: number }): Promise<void> {
  checkUrl(url);
  const { signal, timeoutMs } = options;
  signal.throwIfAborted();
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    application_name: 'vigil-probe',
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs,
    stream: () => socket,
  });
  client.on('error', () => undefined);
  const cut = () => socket.destroy();
  signal.addEventListener('abort', cut, { once: true });
  try {
    await client.connect().catch((error: unknown) => {
      throw explainConnectError(error, url);
    });
    await writeAndReadBack(client, url);
    await client.end();
  } finally {
    signal.removeEventListener('abort', cut);
    socket.destroy();
  }
}

async function writeAndReadBack(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby !== false) {
    throw new StoreUnavailableError('the server is a standby and takes no writes', { readable: true });
  }
  requireUsableSchema(url, await readSchemaStatus(async (sql) => (await client.query(sql)).rows));
  await writeRow(client).catch((error: unknown) => {
    if (faultOf(error).code !== readOnlyState) throw error;
    throw new StoreUnavailableError('it takes no writes', { readable: true, cause: error });
  });
}

async function writeRow(client: pg.Client): Promise<void> {
  const id = randomInt(firstRow, lastRow);
  await client.query('BEGIN');
  const written = await client.query<{ nonce: string }>(
    'INSERT INTO store_probe (id, nonce, written_at) VALUES ($1, gen_random_uuid()::text, now()) RETURNING nonce',
    [id],
  );
  const read = await client.query<{ nonce: string }>(
    'SELECT nonce FROM store_probe WHERE id = $1 AND written_at = now()',
    [id],
  );
  const deleted = await client.query('DELETE FROM store_probe WHERE id = $1', [id]);
  await client.query('COMMIT');
  const isKept = read.rows[0] !== undefined && read.rows[0].nonce === written.rows[0]?.nonce;
  if (!isKept || deleted.rowCount !== 1) throw new StoreUnavailableError('the row of the probe is missing');
}
