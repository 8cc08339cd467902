import type { MigrationInterface } from 'typeorm';

/** A step of the schema, and the way back. */
export interface Migration extends MigrationInterface {
  /**
   * Processes that do not know it work on beside it, reading and writing: it adds tables, indices, and columns that are
   * empty or have a default, and changes nothing that is there. Without this mark older processes hold their work, and
   * do not start.
   */
  readonly isAdditive?: boolean;
}
