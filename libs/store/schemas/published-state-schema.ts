import { EntitySchema } from 'typeorm';
import type { PublishedState } from '../published-states-contract.ts';
import { jsonb, text, timeOfInsert } from './columns.ts';

/** Table `published_states`. */
export const publishedStateSchema = new EntitySchema<PublishedState>({
  name: 'PublishedState',
  tableName: 'published_states',
  columns: {
    kind: text('kind', { primary: true, primaryKeyConstraintName: 'pk_published_states' }),
    name: text('name', { primary: true, primaryKeyConstraintName: 'pk_published_states' }),
    doc: jsonb('doc'),
    at: timeOfInsert('at'),
  },
});
