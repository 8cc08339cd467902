import { nearestName } from '#libs/domain';
import { type CapacityForecastResponse, type RpcRefusal, refuse } from '#libs/messaging';

/** The part of the response that depends on the kind of the object. */
export type CapacityPart = Pick<
  CapacityForecastResponse,
  'id' | 'name' | 'hosts' | 'history_days' | 'places' | 'is_exact' | 'parts' | 'resources' | 'full'
>;

/** Refuses an unknown name, with the nearest known one. */
export function unknownPart(kind: 'aggregate' | 'flavor', id: string, names: Iterable<string>): RpcRefusal {
  const nearest = nearestName(id, names);
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
  return refuse(`${kind}_not_found`, `there is no ${kind} ${id}${hint}`);
}

/** Days with a mean. A day without one is NaN. */
export function measuredDays(means: Float64Array): number {
  let days = 0;
  for (const mean of means) if (!Number.isNaN(mean)) days += 1;
  return days;
}
