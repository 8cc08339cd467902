import type { Clock } from '#libs/domain';
import { HistoryRefusedError } from '../history-port.ts';
import { itemsOf, objectOf, textOf } from '../http/json-http.ts';
import type { GnocchiMetric } from './gnocchi-metric.ts';

/** Resources of one request of aggregates: the listed ones, or all others. The ids are those of Gnocchi. */
export interface ResourceChoice {
  only?: readonly string[];
  but?: readonly string[];
}

/** The requests that `createDividedAggregates` sends. Both throw HistoryRefusedError on 4xx. */
export interface AggregateCalls<Values> {
  /** Values of the chosen resources in one request. */
  aggregates(choice: ResourceChoice): Promise<Map<string, Values>>;
  /** One page of the metrics with this name: `[{id, resource_id, archive_policy}]`. Null ends the list. */
  metricPages(): AsyncIterable<unknown[]>;
  /** Ids of the existing resources with the metric. */
  resourceIds(): Promise<string[]>;
}

/** Reads aggregates of all resources, in as few requests as Gnocchi accepts. */
export type DividedAggregates = <Values>(
  metric: GnocchiMetric,
  aggregation: string,
  calls: AggregateCalls<Values>,
) => Promise<Map<string, Values>>;

/** Resources whose archive policies differ are read again after this time, in milliseconds. */
const validMs = 3_600_000;
/** Ids in one search. A request with 2,000 ids has 80 kB. */
const largestChoice = 2_000;

interface Division {
  readAtMs: number;
  choices: ResourceChoice[];
}

/**
 * Gnocchi refuses aggregates of all resources when one of them lacks the aggregation or a common granularity. Then each
 * archive policy with the aggregation gets a separate request. A refused part is halved, down to the resources that
 * cause the refusal. The division is kept for an hour, and read again after a refusal. @throws HistoryRefusedError when
 * Gnocchi refuses the first and the last resource of a part separately, because it then refuses all aggregates, as
 * releases before 4.3 do
 */
export function createDividedAggregates(clock: Clock): DividedAggregates {
  const divisions = new Map<string, Division>();

  return async function read(metric, aggregation, calls) {
    const key = `${metric.resourceType} ${metric.metric} ${aggregation}`;
    const known = divisions.get(key);
    const valid = known !== undefined && clock.now() - known.readAtMs < validMs;
    try {
      return await readAll(valid ? known.choices : [{}], calls.aggregates);
    } catch (error) {
      if (!(error instanceof HistoryRefusedError)) throw error;
      if (hasNoMetric(error)) return new Map();
    }
    const choices = await choicesByPolicy(aggregation, calls.metricPages());
    const { found, odd } = await readByHalves(choices, calls);
    const usable = choices.map((choice) => without(choice, odd)).filter(({ only }) => only?.length !== 0);
    divisions.set(key, { readAtMs: clock.now(), choices: usable });
    return found;
  };
}

async function readAll<Values>(
  choices: readonly ResourceChoice[],
  aggregates: AggregateCalls<Values>['aggregates'],
): Promise<Map<string, Values>> {
  const found = new Map<string, Values>();
  for (const choice of choices) merge(found, await aggregates(choice));
  return found;
}

/** The choices of resources by archive policy. The largest choice excludes the others, so it contains new resources. */
async function choicesByPolicy(aggregation: string, pages: AsyncIterable<unknown[]>): Promise<ResourceChoice[]> {
  const byPolicy = new Map<string, string[]>();
  const unusable: string[] = [];
  for await (const page of pages) {
    for (const item of page) {
      const fields = objectOf(item);
      const policy = objectOf(fields?.archive_policy);
      const resource = textOf(fields?.resource_id);
      if (resource === '') continue;
      const usable = policy === null || itemsOf(policy.aggregation_methods).includes(aggregation);
      if (!usable) unusable.push(resource);
      else byPolicy.set(textOf(policy?.name), [...(byPolicy.get(textOf(policy?.name)) ?? []), resource]);
    }
  }
  const [largest, ...others] = [...byPolicy.values()].sort((a, b) => b.length - a.length);
  if (largest === undefined) return [];
  const rest = [...unusable, ...others.flat()];
  const first: ResourceChoice[] = rest.length > largestChoice ? inParts(largest) : [{ but: rest }];
  return [...first, ...others.flatMap(inParts)];
}

function inParts(ids: readonly string[]): ResourceChoice[] {
  const parts: ResourceChoice[] = [];
  for (let at = 0; at < ids.length; at += largestChoice) parts.push({ only: ids.slice(at, at + largestChoice) });
  return parts;
}

async function readByHalves<Values>(choices: readonly ResourceChoice[], calls: AggregateCalls<Values>) {
  const found = new Map<string, Values>();
  const odd: string[] = [];
  const left = choices.map((choice) => ({ choice, isWhole: true }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { choice } = next;
    const error = await refusalOf(choice, calls, found);
    if (error === null) continue;
    if (choice.only === undefined) {
      const others = new Set(choice.but);
      const ids = (await calls.resourceIds()).filter((id) => !others.has(id));
      left.push(...inParts(ids).map((part) => ({ choice: part, isWhole: true })));
    } else if (choice.only.length === 1) {
      odd.push(...choice.only);
    } else {
      if (next.isWhole) await requireOneAccepted(choice.only, calls, error);
      const middle = choice.only.length >> 1;
      const halves = [choice.only.slice(0, middle), choice.only.slice(middle)];
      left.push(...halves.map((only) => ({ choice: { only }, isWhole: false })));
    }
  }
  return { found, odd };
}

/** Adds the values of the choice to `found`. Returns the refusal. A choice without the metric has no values. */
async function refusalOf<Values>(
  choice: ResourceChoice,
  calls: Pick<AggregateCalls<Values>, 'aggregates'>,
  found: Map<string, Values>,
): Promise<HistoryRefusedError | null> {
  try {
    merge(found, await calls.aggregates(choice));
    return null;
  } catch (error) {
    if (!(error instanceof HistoryRefusedError)) throw error;
    return hasNoMetric(error) ? null : error;
  }
}

async function requireOneAccepted<Values>(
  ids: readonly string[],
  calls: AggregateCalls<Values>,
  error: HistoryRefusedError,
): Promise<void> {
  for (const id of [ids[0]!, ids.at(-1)!]) {
    if ((await refusalOf({ only: [id] }, calls, new Map())) === null) return;
  }
  throw error;
}

function without(choice: ResourceChoice, odd: readonly string[]): ResourceChoice {
  if (odd.length === 0) return choice;
  if (choice.only === undefined) return { but: [...(choice.but ?? []), ...odd] };
  const left = new Set(odd);
  return { only: choice.only.filter((id) => !left.has(id)) };
}

function hasNoMetric(error: HistoryRefusedError): boolean {
  return error.message.includes('Metrics not found');
}

function merge<Values>(into: Map<string, Values>, from: ReadonlyMap<string, Values>): void {
  for (const [name, values] of from) into.set(name, values);
}
