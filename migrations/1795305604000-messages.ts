import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Messages to send, written in the transaction of their cause, consumed ones, and the bus on PostgreSQL: queues, dead
 * letters, notes.
 */
export class Messages1795305604000 implements Migration {
  readonly name = 'Messages1795305604000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_outbox PRIMARY KEY,
        event_id uuid NOT NULL,
        type text NOT NULL,
        body jsonb NOT NULL,
        request_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        published_at timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        last_error text,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        traceparent text
      );
      CREATE UNIQUE INDEX uq_outbox_event_id ON outbox (event_id);
      CREATE INDEX ix_outbox_unpublished ON outbox (id) WHERE published_at IS NULL;
      CREATE INDEX ix_outbox_published_at ON outbox (published_at) WHERE published_at IS NOT NULL;

      CREATE FUNCTION notify_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('vigil_outbox', '');
        RETURN NULL;
      END $$;

      CREATE TRIGGER outbox_added AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION notify_outbox();

      CREATE TABLE inbox (
        consumer text NOT NULL,
        message_id uuid NOT NULL,
        processed_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_inbox PRIMARY KEY (consumer, message_id)
      );
      CREATE INDEX ix_inbox_processed_at ON inbox (processed_at);

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
        last_reason text,
        traceparent text
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
        dead_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        traceparent text
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

      ALTER SEQUENCE bus_notes_id_seq SET LOGGED;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE bus_notes, bus_dead_letters, bus_messages, inbox, outbox;
      DROP FUNCTION notify_outbox();
    `);
  }
}
