import { EntitySchema } from 'typeorm';
import { text, time } from './columns.ts';

/** A place that a running action takes in a limit. */
export interface ActionSlotRow {
  name: string;
  holder: string;
  expiresAt: Date;
}

/** Table `action_slots`. */
export const actionSlotSchema = new EntitySchema<ActionSlotRow>({
  name: 'ActionSlot',
  tableName: 'action_slots',
  columns: {
    name: text('name', { primary: true, primaryKeyConstraintName: 'pk_action_slots' }),
    holder: text('holder', { primary: true, primaryKeyConstraintName: 'pk_action_slots' }),
    expiresAt: time('expires_at'),
  },
  indices: [{ name: 'ix_action_slots_holder', columns: ['holder'] }],
});
