/** The part of a model that this check needs. */
interface Model {
  move(item: number, place: number, type?: string): void;
  refusal(item: number, place: number, type?: string): string | null;
}

/**
 * Room at the start of the plan. Moves of a plan run in parallel, so a move may not use the room that another frees. A
 * place that is both source and destination only accepts items that fit in addition to all its current ones.
 */
export interface RoomAtStart {
  /** Why the place does not accept the item before anything has left it. Null when it does. */
  refusal(item: number, place: number, type?: string): string | null;
  /** Must be called for every move of the plan. */
  moved(item: number, from: number, to: number, type?: string): void;
}

/**
 * @param build creates a model of the state before the plan. One is kept for each place that is both source and
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
