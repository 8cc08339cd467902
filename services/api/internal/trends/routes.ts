import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type JsonObject, type JsonValue, measurementStates, type OutcomeMeasurement } from '#libs/domain';
import type { TrendPlan } from '#libs/store';
import { countArgument, queryArguments } from '../../collections/query-arguments.ts';
import { timestamp } from '../../http/watcher-text/timestamps.ts';
import {
  component,
  count,
  moment,
  nullableCount,
  nullableNumber,
  nullableText,
  strict,
  uuid,
  words,
} from '../../openapi/shared-schemas.ts';
import { listRules } from '../../route-rules.ts';
import { promiseCounts } from '../../routes/v1/report/promise-counts.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';

const defaultWeeks = 12;
const maxWeeks = 104;
const weekMs = 7 * 24 * 3_600_000;
const maxPlans = 200;

const trendSchemas = [
  Type.Object(
    {
      week: Type.String({ format: 'date', description: 'Monday of the week, UTC.' }),
      moves: count('Moved instances.'),
      failed_moves: count('Moves that failed.'),
      plans: count('Plans that succeeded.'),
      hosts_freed: count('Hosts freed by the plans, as far as stored.'),
    },
    { $id: 'TrendWeek', ...strict },
  ),
  Type.Object(
    {
      planned: nullableNumber('Value at the creation of the plan.'),
      predicted: nullableNumber('Predicted for the plan.'),
      before: nullableNumber('Measured before the first action.'),
      achieved: nullableNumber('Measured after the end of the plan; null unless its measurement is ACHIEVED.'),
    },
    { $id: 'TrendQuantity', ...strict },
  ),
  Type.Object(
    {
      state: words(Object.values(measurementStates), 'As `outcome.measurement.state` of the plan.'),
      reason: nullableText('Reason for a missing value.'),
      overlaps: Type.Array(uuid('Plan that changed the same hosts.')),
    },
    { $id: 'TrendMeasurement', ...strict },
  ),
  Type.Object(
    {
      uuid: uuid('The plan.'),
      strategy_name: nullableText('Strategy that created the plan.'),
      ended_at: nullableText('End of the last action of the plan; ISO 8601 with offset.'),
      hosts_freed: nullableCount('Hosts freed by the plan; null if its hosts were not stored.'),
      deviation: component('TrendQuantity'),
      hosts_empty: component('TrendQuantity'),
      measurement: component('TrendMeasurement'),
    },
    { $id: 'TrendPlan', description: 'Deviation of load across hosts as its strategy measures it.', ...strict },
  ),
  Type.Object(
    {
      since: moment('Monday of the first week, UTC.'),
      weeks: Type.Array(component('TrendWeek'), { description: 'Weeks until now, oldest first.' }),
      plans: Type.Array(component('TrendPlan'), {
        description: `Succeeded plans, newest first; at most ${maxPlans}.`,
      }),
      promises: Type.Array(component('TrendPromise'), {
        description: 'Promises of all plans that succeeded, by strategy and quantity.',
      }),
    },
    { $id: 'Trends', ...strict },
  ),
];

/**
 * `GET /internal/trends`: moves, freed hosts, and promised and achieved gains of plans, by week, within the retention
 * of plans.
 */
export function registerTrendRoutes(app: FastifyInstance, { store, clock }: InternalDeps): void {
  for (const schema of trendSchemas) app.addSchema(schema);
  const schema = describeInternal({
    tag: 'trends',
    operationId: 'get_trends',
    summary: 'Moves and gains of plans, by week',
    query: {
      weeks: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: maxWeeks,
          description: `Number of weeks, the current one last; default ${defaultWeeks}.`,
        }),
      ),
    },
    response: 'Trends',
  });
  app.get('/trends', { schema, config: { rules: listRules.trends } }, async (request) => {
    const weeks = countArgument(queryArguments(request, ['weeks']), 'weeks', defaultWeeks, maxWeeks);
    const mondays = mondaysUntil(clock.now(), weeks);
    const since = new Date(mondays[0] as number);
    const [known, plans, promises] = await Promise.all([
      store.trends.weeks(since),
      store.trends.plans(since, maxPlans),
      store.trends.promises(since),
    ]);
    const byWeek = new Map(known.map((entry) => [entry.week, entry]));
    return {
      since: since.toISOString(),
      weeks: mondays.map((monday) => {
        const week = new Date(monday).toISOString().slice(0, 10);
        const { moves = 0, failedMoves = 0, plans: ended = 0, hostsFreed = 0 } = byWeek.get(week) ?? {};
        return { week, moves, failed_moves: failedMoves, plans: ended, hosts_freed: hostsFreed };
      }),
      plans: plans.map(planBody),
      promises: promiseCounts(promises),
    };
  });
}

/** Mondays, 00:00 UTC, of the last weeks until now. Oldest first. The first of January 1970 was a Thursday. */
function mondaysUntil(nowMs: number, weeks: number): number[] {
  const fourth = 4 * 24 * 3_600_000;
  const last = Math.floor((nowMs - fourth) / weekMs) * weekMs + fourth;
  return Array.from({ length: weeks }, (_, at) => last - (weeks - 1 - at) * weekMs);
}

function planBody({ uuid: ident, strategyName, endedAt, hostsFreed, indicators, outcome }: TrendPlan) {
  const measured = (phase: 'before' | 'after', part: 'goal' | 'cluster', name: string) =>
    numberOf(objectOf(objectOf(outcome?.[phase])[part])[name]);
  const deviation = 'standard_deviation_before_audit';
  const measurement = measurementOf(outcome);
  const achieved = (part: 'goal' | 'cluster', name: string) =>
    measurement.state === measurementStates.achieved ? measured('after', part, name) : null;
  return {
    uuid: ident,
    strategy_name: strategyName,
    ended_at: timestamp(endedAt),
    hosts_freed: hostsFreed,
    deviation: {
      planned: indicators[deviation] ?? null,
      predicted: indicators.standard_deviation_after_audit ?? null,
      before: measured('before', 'goal', deviation),
      achieved: achieved('goal', deviation),
    },
    hosts_empty: {
      planned: null,
      predicted: null,
      before: measured('before', 'cluster', 'hostsEmpty'),
      achieved: achieved('cluster', 'hostsEmpty'),
    },
    measurement,
  };
}

/** Plans of earlier releases have no verdict: nothing proves that their first value was measured before they ran. */
function measurementOf(outcome: JsonObject | null): Omit<OutcomeMeasurement, 'dueAt'> {
  const known = outcome?.measurement as OutcomeMeasurement | undefined;
  if (known) return { state: known.state, reason: known.reason ?? null, overlaps: known.overlaps ?? [] };
  return { state: measurementStates.notMeasured, reason: 'the plan ran on an earlier release', overlaps: [] };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
