import pg from 'pg';

/**
 * Runs one statement on its own connection, for what no store lets a test do, such as ending another's
 * lease.
 */
export async function runSql(databaseUrl: string, text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(text, values.length > 0 ? values : undefined);
  } finally {
    await client.end();
  }
}
