/** The part of a model that is asked here. */
interface Model {
  move(item: number, place: number, type?: string): void;
  refusal(item: number, place: number, type?: string): string | null;
}

/**
 * Room that is there before the plan starts. Moves of a plan run side by side, so one may not count on the room that
 * another one frees: a place that is a source and a destination takes only what fits beside all that it has.
 */
export interface RoomAtStart {
  /** Why the place does not take the item while nothing has left it yet. Null when it does. */
  refusal(item: number, place: number, type?: string): string | null;
  /** To be told of every move of the plan. */
  moved(item: number, from: number, to: number, type?: string): void;
}

/**
 * @param build gives a new model as it is before the plan. One is kept for each place that is both source and
 * destination.
 */
export function createRoomAtStart(build: () => Model): RoomAtStart {
  const sources = new Set<number>();
  const arrivals = new Map<number, { item: number; type?: string }[]>();
  const models = new Map<number, Model>();

  function modelOf(place: number): Model {
    const known = models.get(place);
    if (known !== undefined) return known;
    const model = build();
    for (const { item, type } of arrivals.get(place) ?? []) model.move(item, place, type);
    models.set(place, model);
    return model;
  }

  return {
    refusal: (item, place, type) => (sources.has(place) ? modelOf(place).refusal(item, place, type) : null),
    moved(item, from, to, type) {
      sources.add(from);
      arrivals.set(to, [...(arrivals.get(to) ?? []), { item, type }]);
      models.get(to)?.move(item, to, type);
    },
  };
}
