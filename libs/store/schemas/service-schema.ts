import { EntitySchema } from 'typeorm';
import type { EntityBase, Service } from '#libs/domain';
import { lifeColumns, text, time } from './columns.ts';

/** A row of `services`; soft-deleted like the others although it has no uuid. */
export type ServiceRow = Service & Pick<EntityBase, 'deleted' | 'deletedAt'>;

/** Table `services`. */
export const serviceSchema = new EntitySchema<ServiceRow>({
  name: 'Service',
  tableName: 'services',
  columns: {
    ...lifeColumns('services'),
    name: text('name'),
    host: text('host'),
    lastSeenUp: time('last_seen_up', { nullable: true }),
  },
  indices: [{ name: 'uq_services_name_host', columns: ['name', 'host'], unique: true, where: 'deleted = 0' }],
});
