import { EntitySchema } from 'typeorm';
import { bigint, text, time } from './columns.ts';

/** A named lease and who holds it. */
export interface LeaseRow {
  resource: string;
  holder: string;
  fence: number;
  expiresAt: Date;
}

/** Table `leases`. */
export const leaseSchema = new EntitySchema<LeaseRow>({
  name: 'Lease',
  tableName: 'leases',
  columns: {
    resource: text('resource', { primary: true, primaryKeyConstraintName: 'pk_leases' }),
    holder: text('holder'),
    fence: bigint('fence'),
    expiresAt: time('expires_at'),
  },
});
