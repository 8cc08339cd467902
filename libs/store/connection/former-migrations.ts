import type { Client } from 'pg';
import { migrations, sinceFirstVersion } from '#migrations';
import { additiveTable, migrationsTable } from './data-source.ts';

/** Names of the migrations of 0.1.0, oldest first. */
export const firstVersion: readonly string[] = [
  'DomainTables1795219200000',
  'WorkTables1795219201000',
  'ChangeLog1795219202000',
  'MessageBus1795219203000',
  'History1795219204000',
  'PlanControl1795219205000',
  'ContinuousAudits1795219206000',
  'ApiSupport1795219207000',
  'Notifications1795219208000',
  'ParameterOrder1795219209000',
  'ChangeStream1795219210000',
  'ServiceRegistry1795219220000',
  'Tasks1795219230000',
  'DynamicValues1795219240000',
  'LoadedPlugins1795219250000',
  'DashboardSessions1795219270000',
  'CrashCauses1795219280000',
  'TaskRedrives1795219281000',
  'PlanRollback1795219320000',
  'LoggedSequences1795219330000',
  'ProcessLoops1795219340000',
  'AuditLog1795219350000',
  'PublishedStates1795219351000',
  'RunPhases1795219360000',
  'PluginDescriptions1795219361000',
  'AuditLastRun1795219380000',
  'RunOutcomes1795219395000',
  'ServiceStatusByDistance1795219396000',
];

/** Later migrations before the merge. Together they create exactly the same schema as the current migrations. */
export const formerMigrations: readonly string[] = [
  ...firstVersion,
  'PlanTotals1795219400000',
  'StoreLineage1795219410000',
  'SessionEnds1795219420000',
  'PlanHosts1795219440000',
  'PlacementRules1795219450000',
  'PlanVariants1795219460000',
  'MoveHistory1795219470000',
  'TraceContexts1795219480000',
  'ChangesByStatement1795219490000',
];

/** The last migration that replaces former ones. Later migrations are applied normally. */
export const lastOfFirst = 'StoreIdentity1795305613000';

const names = migrations.map(({ name }) => name);
const firstMigrations = names.slice(0, names.indexOf(lastOfFirst) + 1);

/** Migrations of `applied` with another current name. */
export function formerOf(applied: readonly string[]): string[] {
  return applied.filter((name) => formerMigrations.includes(name));
}

/** The schema of the former names in `applied`: that of 0.1.0, that of the last former migration, or unsupported. */
function formerSchema(applied: readonly string[]): 'first version' | 'last' | null {
  const { length } = formerOf(applied);
  if (length === formerMigrations.length) return 'last';
  return length === firstVersion.length && firstVersion.every((name) => applied.includes(name))
    ? 'first version'
    : null;
}

/**
 * `applied` with the current names. For the schema of 0.1.0 the last one is missing. Unchanged if the former names
 * match no schema.
 */
export function withoutFormerNames(applied: readonly string[]): string[] {
  const schema = formerSchema(applied);
  if (schema === null) return [...applied];
  const known = schema === 'last' ? firstMigrations : firstMigrations.slice(0, -1);
  return [...known, ...applied.filter((name) => !formerMigrations.includes(name))];
}

/**
 * Upgrades a schema with former names to the current schema, and records the current names. The caller holds the lock
 * of the schema. Returns the migrations whose changes it made.
 */
export async function adoptFormerSchema(client: Client): Promise<string[]> {
  const table = await client.query(`SELECT FROM pg_class WHERE oid = to_regclass('${migrationsTable}')`);
  if (table.rowCount === 0) return [];
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${migrationsTable}`);
  const schema = formerSchema(rows.map(({ name }) => name));
  if (schema === null) return [];
  await client.query('BEGIN');
  try {
    if (schema === 'first version') await client.query(sinceFirstVersion);
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${additiveTable} (name text CONSTRAINT pk_${additiveTable} PRIMARY KEY)`,
    );
    await client.query(`DELETE FROM ${additiveTable} WHERE name = ANY ($1)`, [formerMigrations]);
    await client.query(`DELETE FROM ${migrationsTable} WHERE name = ANY ($1)`, [formerMigrations]);
    await client.query(
      `INSERT INTO ${migrationsTable} (timestamp, name)
       SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) WITH ORDINALITY AS first (name, place) ORDER BY place`,
      [firstMigrations],
    );
    await client.query('COMMIT');
    return schema === 'first version' ? [lastOfFirst] : [];
  } catch (error) {
    // The server has rolled back a lost connection. The original error has the reason.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
