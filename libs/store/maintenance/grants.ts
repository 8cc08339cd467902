import pg from 'pg';
import { type Logger, OperatorError } from '#libs/domain';
import { additiveTable, migrationsTable } from '../connection/data-source.ts';
import { connectDirect } from '../connection/direct-client.ts';

/** The rights of a database role: `app` is for the processes, `reader` for reports and users. */
export type GrantKind = 'app' | 'reader';

/** Kinds of roles, and their grants. */
export interface GrantOptions {
  /** The role. It exists already. */
  role: string;
  kind: GrantKind;
  logger: Logger;
}

/** Sealed tokens of signed-in users, and secrets of notification targets. No report needs them. */
const secretTables = ['dashboard_sessions', 'notification_secrets'];
/** Written by `vigil db upgrade` only. */
const ownersTables = [migrationsTable, additiveTable];
/** Written by functions that run as the owner: entries are never altered, and only expired ones are removed. */
const sealedTables = ['audit_log', 'audit_log_chain'];

/**
 * The statements, in order, that grant a role its rights and revoke all others. They may run again, and must after an
 * upgrade for a reader. For the processes they also cover the tables of later migrations.
 * @param names.owner the role that runs `vigil db upgrade`
 */
export function grantStatements(
  { role, kind }: Pick<GrantOptions, 'role' | 'kind'>,
  names: { database: string; owner: string },
): string[] {
  const [grantee, database, owner] = [role, names.database, names.owner].map((name) => pg.escapeIdentifier(name));
  const tables = (list: readonly string[]) => list.map((name) => pg.escapeIdentifier(name)).join(', ');
  const common = [
    `REVOKE CREATE ON SCHEMA public FROM PUBLIC`,
    `REVOKE ALL ON SCHEMA public FROM ${grantee}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${grantee}`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM ${grantee}`,
    `GRANT CONNECT ON DATABASE ${database} TO ${grantee}`,
    `GRANT USAGE ON SCHEMA public TO ${grantee}`,
  ];
  if (kind === 'reader') {
    return [
      ...common,
      `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${grantee}`,
      `REVOKE ALL ON ${tables(secretTables)} FROM ${grantee}`,
    ];
  }
  const later = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA public GRANT`;
  return [
    ...common,
    // The task `purge` uses a temporary table.
    `GRANT TEMPORARY ON DATABASE ${database} TO ${grantee}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${grantee}`,
    `REVOKE INSERT, UPDATE, DELETE ON ${tables(ownersTables)} FROM ${grantee}`,
    `REVOKE INSERT, UPDATE, DELETE ON ${tables(sealedTables)} FROM ${grantee}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${grantee}`,
    `${later} SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${grantee}`,
    `${later} USAGE ON SEQUENCES TO ${grantee}`,
  ];
}

/**
 * Reads the roles of the database, and runs the statements in one transaction when `isApplied`. Returns the statements.
 * @throws OperatorError when the role is missing, owns the tables, or is a superuser
 */
export async function grantPrivileges(url: string, options: GrantOptions & { isApplied: boolean }): Promise<string[]> {
  const client = await connectDirect(url, 'vigil-db', options.logger);
  try {
    const { rows } = await client.query<{ database: string; owner: string | null; super: boolean | null }>(
      `SELECT current_database() AS database,
         (SELECT tableowner FROM pg_tables WHERE schemaname = 'public' AND tablename = $1) AS owner,
         (SELECT rolsuper FROM pg_roles WHERE rolname = $2) AS super`,
      [migrationsTable, options.role],
    );
    const { database = '', owner = null, super: isSuper = null } = rows[0] ?? {};
    if (owner === null) throw new OperatorError('the database has no schema yet: run "vigil db upgrade" first');
    const statements = grantStatements(options, { database, owner });
    if (!options.isApplied) return statements;
    refuseRole(options.role, owner, isSuper);
    await client.query('BEGIN');
    for (const statement of statements) await client.query(statement);
    await client.query('COMMIT');
    return statements;
  } finally {
    await client.end();
  }
}

function refuseRole(role: string, owner: string, isSuper: boolean | null): void {
  if (isSuper === null) {
    const statement = `CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD '…'`;
    throw new OperatorError(`unknown role ${role}; an administrator of the database can create it: ${statement}`);
  }
  if (role === owner)
    throw new OperatorError(`${role} owns the tables and has all privileges; processes need another role`);
  if (isSuper) throw new OperatorError(`${role} is a superuser and has all privileges; processes need another role`);
}
