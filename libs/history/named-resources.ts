import type { AggregateQuery } from './history-port.ts';

/** More names cost PostgreSQL as much as all. Some servers read queries from the URL: 100 uuids are 4 kB. */
const namedAtMost = 100;

/** The resources that a query text can name. Undefined: the query reads all. */
export function namedResources({ resources }: Pick<AggregateQuery, 'resources'>): readonly string[] | undefined {
  return resources !== undefined && resources.length > 0 && resources.length <= namedAtMost ? resources : undefined;
}
