import type { Client } from 'pg';
import { actionStateTable, type Logger, moveOf, OperatorError } from '#libs/domain';
import { connectDirect } from '../connection/direct-client.ts';
import { readSchemaStatus } from '../connection/schema-status.ts';
import type { ImportError } from '../errors.ts';
import { type ImportTable, importTables, interruptedMessage } from './import-tables.ts';
import { type NodeNames, readNodeNames } from './node-names.ts';
import type { SourceRow, SourceTables } from './read-dump.ts';
import { type SourceValues, sourceValues } from './source-values.ts';

/** The result of an import. */
export interface ImportResult {
  /** Imported rows by table. */
  imported: Record<string, number>;
  /** Existing rows of the store, by table. */
  present: Record<string, number>;
}

/**
 * Imports the rows of a Watcher database, in one transaction. Uuids stay, ids are new. Goals, strategies and scoring
 * engines whose name already exists in the store are not added: references to them then point to the store's. Importing
 * again adds missing rows. Services and scheduler jobs are left out, as processes register themselves.
 * @throws ImportError, naming table and row, on rows that cannot be imported
 * @throws OperatorError when the store cannot be reached or is not migrated
 */
export async function importWatcher(
  url: string,
  tables: SourceTables,
  options: { dryRun?: boolean; logger: Logger },
): Promise<ImportResult> {
  if (!(tables.has('goals') || tables.has('alembic_version')))
    throw new OperatorError('This is not the database of a Watcher: it has no goals', { exitCode: 1 });
  const client = await connectDirect(url, 'vigil-db', options.logger);
  try {
    const status = await readSchemaStatus(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows);
    if (status.state !== 'current' && status.state !== 'ahead')
      throw new OperatorError('The store is not migrated; run: vigil db upgrade', { exitCode: 1 });
    await client.query('BEGIN');
    const result = await copyAll(client, tables);
    await client.query(options.dryRun ? 'ROLLBACK' : 'COMMIT');
    return result;
  } finally {
    await client.end();
  }
}

async function copyAll(client: Client, tables: SourceTables): Promise<ImportResult> {
  const result: ImportResult = { imported: {}, present: {} };
  const ids = new Map<string, Map<string, string>>();
  const nodes = readNodeNames(tables);
  for (const table of importTables) {
    const known = new Map<string, string>();
    ids.set(table.name, known);
    const rows = [...(tables.get(table.name) ?? [])].sort((one, other) => Number(one.id) - Number(other.id));
    let imported = 0;
    for (const row of rows) {
      const copied = await copyRow(client, table, row, { ids, nodes });
      known.set(row.id ?? '', copied.id);
      if (copied.isNew) imported += 1;
    }
    result.imported[table.name] = imported;
    result.present[table.name] = rows.length - imported;
  }
  const cancel = moveOf(actionStateTable, 'cancel');
  await client.query(
    `UPDATE actions SET state = $2, status_message = $1 FROM action_plans plan
     WHERE plan.id = actions.action_plan_id AND plan.status_message = $1 AND actions.state = ANY($3::text[])`,
    [interruptedMessage, cancel.to, cancel.from],
  );
  return result;
}

async function copyRow(
  client: Client,
  table: ImportTable,
  row: SourceRow,
  { ids, nodes }: { ids: Map<string, Map<string, string>>; nodes: NodeNames },
): Promise<{ id: string; isNew: boolean }> {
  const values = sourceValues(table.name, row);
  const isDeleted = (values.number('deleted') ?? 0) !== 0;
  const uuid = values.uuid();
  const present = await findPresent(client, table, { uuid, name: isDeleted ? null : values.text('name') });
  if (present) return { id: present, isNew: false };
  const reference = (column: string, target: string) => newId(values, column, ids.get(target));
  const columns: Record<string, unknown> = {
    uuid,
    ...table.columns(values, reference, nodes),
    created_at: values.time('created_at') ?? new Date(0).toISOString(),
    updated_at: values.time('updated_at'),
    deleted_at: isDeleted ? (values.time('deleted_at') ?? new Date().toISOString()) : null,
  };
  if (table.isNamed && !isDeleted) columns.name = await freeName(client, table.name, String(columns.name), uuid);
  return { id: await insert(client, table.name, columns, { isDeleted, fail: values.fail }), isNew: true };
}

function newId(values: SourceValues, column: string, known: Map<string, string> | undefined): string | null {
  const old = values.text(column);
  if (old === null) return null;
  const id = known?.get(old);
  if (id === undefined) throw values.fail(column, `there is no row with id ${old}`);
  return id;
}

async function findPresent(
  client: Client,
  { name: table, isCatalogue }: ImportTable,
  { uuid, name }: { uuid: string; name: string | null },
): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    isCatalogue
      ? `SELECT id FROM ${table} WHERE uuid = $1 OR (name = $2 AND deleted = 0) ORDER BY uuid <> $1 LIMIT 1`
      : `SELECT id FROM ${table} WHERE uuid = $1`,
    isCatalogue ? [uuid, name] : [uuid],
  );
  return rows[0]?.id;
}

/**
 * In upgraded Watcher databases, live audits may share a name. The later audit then gets a part of its uuid as a
 * suffix.
 */
async function freeName(client: Client, table: string, name: string, uuid: string): Promise<string> {
  const { rowCount } = await client.query(`SELECT 1 FROM ${table} WHERE name = $1 AND deleted = 0`, [name]);
  return rowCount ? `${name}-${uuid.slice(0, 8)}` : name;
}

async function insert(
  client: Client,
  table: string,
  columns: Record<string, unknown>,
  { isDeleted, fail }: { isDeleted: boolean; fail(column: string, reason: string): ImportError },
): Promise<string> {
  const names = Object.keys(columns);
  const places = names.map((_, place) => `$${place + 1}`).join(', ');
  try {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO ${table} (id, deleted, ${names.map((name) => `"${name}"`).join(', ')}) OVERRIDING SYSTEM VALUE
       SELECT next.id, ${isDeleted ? 'next.id' : '0'}, ${places}
       FROM (SELECT nextval(pg_get_serial_sequence('${table}', 'id')) AS id) next RETURNING id`,
      Object.values(columns),
    );
    return rows[0]?.id ?? '';
  } catch (error) {
    if (error instanceof Error && 'column' in error && typeof error.column === 'string') {
      throw fail(error.column, error.message);
    }
    if (error instanceof Error && 'severity' in error) throw fail('row', error.message);
    throw error;
  }
}
