import { createHmac } from 'node:crypto';
import pg from 'pg';

/** Role of the processes. It owns the database, and has no superuser rights. */
export const applicationRole = 'vigil_up';

/** Password of `applicationRole`. It is derived from the superuser's password, which cannot be derived from it. */
export function applicationPassword(superPassword: string): string {
  return createHmac('sha256', superPassword).update(applicationRole).digest('base64url');
}

/**
 * Creates the role and the database `vigil`, and transfers the databases of earlier versions from the superuser to the
 * role. Does nothing on a standby.
 * @param client on the database `postgres`, as the superuser `vigil`
 * @returns databases whose tables must be transferred to the role, see `transferObjects`
 */
export async function makeApplicationDatabase(client: pg.Client, superPassword: string): Promise<string[]> {
  const recovery = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (recovery.rows[0]?.standby) return [];
  const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [applicationRole]);
  const verb = role.rowCount === 0 ? 'CREATE' : 'ALTER';
  const password = pg.escapeLiteral(applicationPassword(superPassword));
  // A restore creates another database.
  await client.query(`${verb} ROLE ${applicationRole} LOGIN CREATEDB NOSUPERUSER NOCREATEROLE PASSWORD ${password}`);
  const databases = await client.query<{ name: string; own: boolean }>(
    `SELECT datname AS name, pg_get_userbyid(datdba) = $1 AS own FROM pg_database
     WHERE NOT datistemplate AND datname LIKE 'vigil%'`,
    [applicationRole],
  );
  if (!databases.rows.some(({ name }) => name === 'vigil'))
    await client.query(`CREATE DATABASE vigil OWNER ${applicationRole}`);
  return databases.rows.filter(({ own }) => !own).map(({ name }) => name);
}

/** Objects of the superuser in `public`, as `ALTER … OWNER` names them. Sequences of columns follow their tables. */
const objectsSql = `
  SELECT format('%s %s', CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
      ELSE 'TABLE' END, oid::regclass) AS object
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relowner = 10 AND relkind IN ('r', 'p', 'v', 'm', 'S')
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype IN ('a', 'i', 'e')
        AND refclassid = 'pg_class'::regclass AND relkind = 'S')
  UNION ALL SELECT format('ROUTINE %s', oid::regprocedure) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND proowner = 10
  UNION ALL SELECT format('TYPE %s', oid::regtype) FROM pg_type
    WHERE typnamespace = 'public'::regnamespace AND typowner = 10 AND typtype IN ('e', 'd')`;

/**
 * Transfers the database of the connection, and all objects of the superuser in its schema `public`, to
 * `applicationRole`. All or none are transferred.
 */
export async function transferObjects(client: pg.Client, database: string): Promise<void> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ object: string }>(objectsSql);
  for (const { object } of rows) await client.query(`ALTER ${object} OWNER TO ${applicationRole}`);
  await client.query(`ALTER DATABASE ${pg.escapeIdentifier(database)} OWNER TO ${applicationRole}`);
  await client.query('COMMIT');
}
