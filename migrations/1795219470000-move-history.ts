import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves of an instance, from a host and to one are found without reading every action. */
export class MoveHistory1795219470000 implements MigrationInterface {
  readonly name = 'MoveHistory1795219470000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX ix_actions_input_parameters ON actions USING gin (input_parameters jsonb_path_ops)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_actions_input_parameters');
  }
}
