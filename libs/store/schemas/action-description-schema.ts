import { EntitySchema } from 'typeorm';
import type { ActionDescription, EntityBase } from '#libs/domain';
import { lifeColumns, text } from './columns.ts';

/** Table `action_descriptions`. */
export const actionDescriptionSchema = new EntitySchema<ActionDescription & Omit<EntityBase, 'uuid'>>({
  name: 'ActionDescription',
  tableName: 'action_descriptions',
  columns: {
    ...lifeColumns('action_descriptions'),
    actionType: text('action_type'),
    description: text('description'),
    revertible: text('revertible', { nullable: true }),
  },
  indices: [{ name: 'uq_action_descriptions_action_type', columns: ['actionType'], unique: true }],
});
