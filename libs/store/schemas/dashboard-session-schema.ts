import { EntitySchema } from 'typeorm';
import { text, time, timeOfInsert } from './columns.ts';

/** A session of the dashboard. */
export interface DashboardSessionRow {
  idHash: string;
  sealedToken: string;
  expiresAt: Date;
  endsAt: Date;
  createdAt: Date;
}

/** Table `dashboard_sessions`. */
export const dashboardSessionSchema = new EntitySchema<DashboardSessionRow>({
  name: 'DashboardSession',
  tableName: 'dashboard_sessions',
  columns: {
    idHash: text('id_hash', { primary: true, primaryKeyConstraintName: 'pk_dashboard_sessions' }),
    sealedToken: text('sealed_token'),
    expiresAt: time('expires_at'),
    endsAt: time('ends_at', { default: () => "(now() + '12:00:00')" }),
    createdAt: timeOfInsert('created_at'),
  },
  indices: [{ name: 'ix_dashboard_sessions_expires_at', columns: ['expiresAt'] }],
});
