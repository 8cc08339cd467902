import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/** Which span caused a message, an audit and a plan, as `traceparent` of W3C trace context. */
export class TraceContexts1795219480000 implements Migration {
  readonly name = 'TraceContexts1795219480000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables.map((table) => `ALTER TABLE ${table} ADD COLUMN traceparent text`).join(';'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(tables.map((table) => `ALTER TABLE ${table} DROP COLUMN traceparent`).join(';'));
  }
}

const tables = ['audits', 'action_plans', 'outbox', 'bus_messages', 'bus_dead_letters'];
