import type { MetricAggregate } from '#libs/domain';
import { percentileShare } from '#libs/domain';

/** `age` is the time of a sample in hours after the start of the window. */
function aggregateFunction(aggregate: MetricAggregate): string {
  const share = percentileShare(aggregate);
  if (share !== undefined) return `percentile_cont(${share}) WITHIN GROUP (ORDER BY value)`;
  if (aggregate === 'trend') return 'regr_slope(value, age)';
  if (aggregate === 'count') return 'count(value)::float8';
  return aggregate === 'mean' ? 'avg(value)' : `${aggregate}(value)`;
}

/** Parameters: names. New resources get a number. */
export const addResources = `
  INSERT INTO history_resources (name)
  SELECT DISTINCT given.name FROM unnest($1::text[]) AS given (name)
  WHERE NOT EXISTS (SELECT FROM history_resources AS known WHERE known.name = given.name)
  ON CONFLICT (name) DO NOTHING`;

/** Parameters: names. */
export const findResources = 'SELECT id, name FROM history_resources WHERE name = ANY ($1::text[])';

/**
 * Parameters: metric and time of each block. Block number (from 1), resource and value of each sample. Existing blocks
 * are extended, so a batch may be written again.
 */
export const addBlocks = `
  INSERT INTO history_blocks (metric, at, resources, sample_values)
  SELECT block.metric, block.at, array_agg(sample.resource), array_agg(sample.value)
  FROM unnest($3::int[], $4::int[], $5::float8[]) AS sample (block, resource, value)
  JOIN unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY AS block (metric, at, number)
    ON block.number = sample.block
  GROUP BY block.metric, block.at
  ON CONFLICT (metric, at) DO UPDATE SET (resources, sample_values) = (
    SELECT array_agg(newest.resource), array_agg(newest.value)
    FROM (
      SELECT DISTINCT ON (merged.resource) merged.resource, merged.value
      FROM (
        SELECT 1 AS priority, unnest(EXCLUDED.resources) AS resource, unnest(EXCLUDED.sample_values) AS value
        UNION ALL
        SELECT 2, unnest(history_blocks.resources), unnest(history_blocks.sample_values)
      ) AS merged
      ORDER BY merged.resource, merged.priority
    ) AS newest
  )`;

/** Parameters: metric, start (exclusive), end (inclusive). One row per resource with a value. */
export function aggregateStatement(aggregate: MetricAggregate): string {
  return `
  SELECT resource.name, grouped.value
  FROM (
    SELECT resource, ${aggregateFunction(aggregate)} AS value
    FROM (
      SELECT unnest(resources) AS resource, unnest(sample_values) AS value${ageColumn(aggregate)}
      FROM history_blocks WHERE metric = $1 AND at > $2 AND at <= $3
    ) AS samples
    GROUP BY resource
  ) AS grouped
  JOIN history_resources AS resource ON resource.id = grouped.resource
  WHERE grouped.value IS NOT NULL`;
}

/**
 * Parameters: metric, start (not included), end (included), names of resources. One row per resource of these that has
 * a value. Without `OFFSET 0` PostgreSQL would search each block twice.
 */
export function namedAggregateStatement(aggregate: MetricAggregate): string {
  const value = aggregateFunction(aggregate);
  return `
  SELECT name, ${value} AS value
  FROM (
    SELECT resource.name, block.sample_values[array_position(block.resources, resource.id)] AS value${ageColumn(aggregate)}
    FROM history_resources AS resource, history_blocks AS block
    WHERE resource.name = ANY ($4::text[]) AND block.metric = $1 AND block.at > $2 AND block.at <= $3
    OFFSET 0
  ) AS samples
  WHERE value IS NOT NULL
  GROUP BY name
  HAVING ${value} IS NOT NULL`;
}

function ageColumn(aggregate: MetricAggregate): string {
  return aggregate === 'trend' ? ', (extract(epoch FROM at - $2) / 3600)::float8 AS age' : '';
}

/** Parameters: metric, start (not included), end (included), limit. One row per resource with a greater value. */
export const maximaAboveStatement = `
  SELECT resource.name, grouped.value
  FROM (
    SELECT resource, max(value) AS value
    FROM (
      SELECT unnest(resources) AS resource, unnest(sample_values) AS value
      FROM history_blocks WHERE metric = $1 AND at > $2 AND at <= $3
    ) AS samples
    WHERE value > $4
    GROUP BY resource
  ) AS grouped
  JOIN history_resources AS resource ON resource.id = grouped.resource`;

/** Parameters: metric, resource name, start (included), end (not included), step in seconds. */
export const seriesStatement = `
  SELECT bucket AS at, avg(value) AS value
  FROM (
    SELECT date_bin(make_interval(secs => $5), block.at, to_timestamp(0)) AS bucket,
           block.sample_values[array_position(block.resources, resource.id)] AS value
    FROM history_resources AS resource, history_blocks AS block
    WHERE resource.name = $2 AND block.metric = $1 AND block.at >= $3 AND block.at < $4
  ) AS samples
  WHERE value IS NOT NULL
  GROUP BY bucket
  ORDER BY bucket`;

/** Parameters: start (exclusive), end (inclusive), candidate metrics. One index probe per metric. */
export const listMetricsStatement = `
  SELECT candidate.metric
  FROM unnest($3::text[]) AS candidate (metric)
  WHERE EXISTS (SELECT FROM history_blocks AS block WHERE block.metric = candidate.metric AND block.at > $1 AND block.at <= $2)`;

/** Parameter: time. Older blocks are deleted. */
export const pruneStatement = 'DELETE FROM history_blocks WHERE at < $1';

/** Fails when the tables are missing or the role must not read them. */
export const probeStatement =
  'SELECT (SELECT count(*) FROM (SELECT FROM history_blocks LIMIT 1) AS b), (SELECT count(*) FROM (SELECT FROM history_resources LIMIT 1) AS r)';
