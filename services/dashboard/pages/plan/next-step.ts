import { type PlacedStep, stepSize } from './graph-layout.ts';

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/**
 * The step that a key moves to: with an arrow the nearest one in that direction, with Home and End the first and the
 * last. Undefined if the key has no meaning here or no step exists.
 */
export function nextStep(steps: readonly PlacedStep[], from: string, key: string): string | undefined {
  if (key === 'Home') return steps[0]?.uuid;
  if (key === 'End') return steps.at(-1)?.uuid;
  const direction = directions[key];
  const here = steps.find(({ uuid }) => uuid === from);
  if (!direction || !here) return undefined;
  const [x, y] = direction;
  let best: { uuid: string; distance: number } | undefined;
  for (const step of steps) {
    const [right, down] = [(step.x - here.x) / stepSize.width, (step.y - here.y) / stepSize.height];
    const along = right * x + down * y;
    // Sideways distance counts double, so that a key prefers straight moves.
    const distance = along + 2 * Math.abs(right * y + down * x);
    if (along > 0.5 && (!best || distance < best.distance)) best = { uuid: step.uuid, distance };
  }
  return best?.uuid;
}
