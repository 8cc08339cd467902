/** How a field is compared. */
export type FilterOperator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'notin';

/** One condition on a view field; `value` is a list for `in` and `notin`. All conditions of a query must hold. */
export interface Filter<View> {
  field: keyof View & string;
  op?: FilterOperator;
  value: unknown;
}

/** A page of a list: sorted by `sortKey` then `id`, beginning after the row whose uuid (id for services) is `marker`. */
export interface ListQuery<View> {
  filters?: Filter<View>[];
  sortKey?: keyof View & string;
  sortDir?: 'asc' | 'desc';
  /** Rows at most; all when absent. */
  limit?: number;
  marker?: string;
  /** Also rows that are soft-deleted; default false. */
  showDeleted?: boolean;
}
