/** Sort keys that every table has. */
export const commonSortKeys = {
  id: 'id',
  uuid: 'uuid',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  deleted_at: 'deletedAt',
} as const;
