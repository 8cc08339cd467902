/** Watts of a server at 0, 10, … 100 % of CPU load. */
export type PowerModel = readonly number[];

/** SPECpower_ssj2008 results of two servers, which CloudSim's power examples use. */
export const powerModels = {
  'hp-ml110-g4': [86, 89.4, 92.6, 96, 99.5, 102, 106, 108, 112, 114, 117],
  'hp-ml110-g5': [93.7, 97, 101, 105, 110, 116, 121, 125, 129, 133, 135],
} as const satisfies Record<string, PowerModel>;

/** Watts at a load from 0 to 1, by linear interpolation. */
export function wattsAt(model: PowerModel, load: number): number {
  const position = Math.min(1, Math.max(0, load)) * (model.length - 1);
  const below = Math.min(model.length - 2, Math.floor(position));
  const [low = 0, high = 0] = [model[below], model[below + 1]];
  return low + (high - low) * (position - below);
}
