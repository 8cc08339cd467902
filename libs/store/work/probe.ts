import type { DataSource } from 'typeorm';
import { translateError } from '../connection/translate-error.ts';
import { StoreUnavailableError } from '../errors.ts';

/**
 * Writes a nonce and reads it back.
 * @throws StoreUnavailableError when PostgreSQL cannot be reached, is a read-only standby, or answers something else
 */
export async function probeStore(dataSource: DataSource): Promise<void> {
  try {
    const written = await dataSource.query<{ nonce: string }[]>(
      `INSERT INTO store_probe (id, nonce) VALUES (1, gen_random_uuid()::text)
       ON CONFLICT (id) DO UPDATE SET nonce = excluded.nonce, written_at = now() RETURNING nonce`,
    );
    const read = await dataSource.query<{ nonce: string; standby: boolean }[]>(
      'SELECT nonce, pg_is_in_recovery() AS standby FROM store_probe WHERE id = 1',
    );
    if (read[0]?.standby === true) throw new StoreUnavailableError('the server is a standby');
    if (!written[0] || !read[0]) throw new StoreUnavailableError('the row of the probe is gone');
  } catch (error) {
    throw translateError(error);
  }
}
