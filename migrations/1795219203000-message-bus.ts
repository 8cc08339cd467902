import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of the message bus on Postgres: work queues, dead letters, and the bodies of requests, replies and broadcasts. */
export class MessageBus1795219203000 implements MigrationInterface {
  readonly name = 'MessageBus1795219203000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bus_messages (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_bus_messages PRIMARY KEY,
        queue text NOT NULL,
        message_id text NOT NULL,
        type text NOT NULL,
        body jsonb NOT NULL,
        correlation_id text,
        app_id text NOT NULL,
        published_at text NOT NULL,
        deliveries integer NOT NULL DEFAULT 0,
        visible_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        claim uuid,
        last_reason text
      );
      CREATE INDEX ix_bus_messages_queue ON bus_messages (queue, id);
      CREATE INDEX ix_bus_messages_visible_at ON bus_messages (queue, visible_at);

      CREATE TABLE bus_dead_letters (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_bus_dead_letters PRIMARY KEY,
        queue text NOT NULL,
        message_id text NOT NULL,
        type text NOT NULL,
        body jsonb NOT NULL,
        correlation_id text,
        published_at text NOT NULL,
        deliveries integer NOT NULL,
        reason text NOT NULL,
        dead_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );

      CREATE UNLOGGED TABLE bus_notes (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_bus_notes PRIMARY KEY,
        kind text NOT NULL CONSTRAINT ck_bus_notes_kind CHECK (kind IN ('request', 'reply', 'broadcast')),
        topic text NOT NULL,
        body jsonb NOT NULL,
        reply_to text,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX ix_bus_notes_topic ON bus_notes (kind, topic);
      CREATE INDEX ix_bus_notes_expires_at ON bus_notes (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE bus_notes;
      DROP TABLE bus_dead_letters;
      DROP TABLE bus_messages;
    `);
  }
}
