import pg from 'pg';

/** Runs one statement on a separate connection, such as the end of a lease, which no store offers. Returns its rows. */
export async function runSql<Row extends object>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text, values.length > 0 ? values : undefined);
    return rows;
  } finally {
    await client.end();
  }
}
