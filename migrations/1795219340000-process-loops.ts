import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What processes do again and again, as they say with their heartbeats. */
export class ProcessLoops1795219340000 implements MigrationInterface {
  readonly name = 'ProcessLoops1795219340000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE process_loops (
        instance_id uuid NOT NULL,
        name text NOT NULL,
        every_ms integer NOT NULL,
        took_ms integer NOT NULL,
        last_run_at timestamptz NOT NULL,
        failures integer NOT NULL,
        last_error text,
        CONSTRAINT pk_process_loops PRIMARY KEY (instance_id, name),
        CONSTRAINT fk_process_loops_instance_id FOREIGN KEY (instance_id)
          REFERENCES service_instances (instance_id) ON DELETE CASCADE
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE process_loops');
  }
}
