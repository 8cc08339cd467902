import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Cluster history for installations without InfluxDB. All samples of one metric at one moment are one row with two
 * arrays of equal length, so a batch of 30,000 samples is a few rows, forgetting a day is a cheap delete, and a window
 * is read by one index range. Resources are numbered to keep the arrays small. Values of doubles do not compress:
 * EXTERNAL skips it.
 */
export class History1795305609000 implements Migration {
  readonly name = 'History1795305609000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE history_resources (
        id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_history_resources PRIMARY KEY,
        name text NOT NULL CONSTRAINT uq_history_resources_name UNIQUE
      );

      CREATE TABLE history_blocks (
        metric text NOT NULL,
        at timestamptz NOT NULL,
        resources integer[] NOT NULL,
        sample_values double precision[] NOT NULL,
        CONSTRAINT uq_history_blocks_metric_at UNIQUE (metric, at),
        CONSTRAINT ck_history_blocks_lengths CHECK (cardinality(resources) = cardinality(sample_values))
      );
      CREATE INDEX ix_history_blocks_at ON history_blocks USING brin (at);
      ALTER TABLE history_blocks ALTER COLUMN sample_values SET STORAGE EXTERNAL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE history_blocks, history_resources;
    `);
  }
}
