import type { QueryRunner } from 'typeorm';
import { expect, test } from 'vitest';
import type { Migration } from './migration.ts';
import { migrations } from './migrations.ts';

/** Changes over which processes of the release before would stumble. */
const breaking =
  /\b(DROP|RENAME|TRUNCATE|DELETE FROM|SET NOT NULL|REVOKE)\b|ALTER COLUMN|CREATE UNIQUE INDEX|ADD (CONSTRAINT|CHECK|UNIQUE)|ADD COLUMN(?![^;]*\bDEFAULT\b)[^;]*NOT NULL/i;
const created = /CREATE TABLE (\w+)/gi;

/** Statements of a migration that change earlier tables. */
async function breakingStatements(migration: Migration): Promise<string[]> {
  const statements: string[] = [];
  // The body of a function runs later, on behalf of those that call it.
  const body = /(CREATE (?:OR REPLACE )?FUNCTION[^;]*?AS )\$\$.*?\$\$/gis;
  const query = async (sql: string) => void statements.push(...sql.replaceAll(body, '$1').split(';'));
  await migration.up({ query } as unknown as QueryRunner);
  const own = [...statements.join(';').matchAll(created)].map(([, table]) => table ?? '');
  const isOfOwnTable = (sql: string) => own.some((table) => new RegExp(`\\b(ON|TABLE) ${table}\\b`, 'i').test(sql));
  return statements.filter((sql) => breaking.test(sql) && !isOfOwnTable(sql));
}

function migrationOf(sql: string): Migration {
  return { name: 'X1', up: async (runner) => runner.query(sql), down: async () => undefined };
}

test('migrations that say so only add', async () => {
  const additive = migrations.map((Step) => new Step()).filter(({ isAdditive }) => isAdditive);
  expect(additive.length).toBeGreaterThan(0);
  for (const migration of additive) expect(await breakingStatements(migration), migration.name).toEqual([]);
});

test.each([
  ['ALTER TABLE audits DROP COLUMN name', 1],
  ['ALTER TABLE audits ADD COLUMN a text NOT NULL', 1],
  ['ALTER TABLE audits ADD COLUMN a text; ALTER TABLE audits ALTER COLUMN a SET NOT NULL', 1],
  ['CREATE UNIQUE INDEX a ON audits (name)', 1],
  ["ALTER TABLE audits ADD COLUMN a text NOT NULL DEFAULT ''; CREATE INDEX a ON audits (a)", 0],
  ['CREATE TABLE watchers (id bigint NOT NULL); CREATE UNIQUE INDEX watchers_id ON watchers (id)', 0],
])('%s', async (sql, count) => {
  expect(await breakingStatements(migrationOf(sql))).toHaveLength(count);
});
