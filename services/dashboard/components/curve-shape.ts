import type { CurvePoint } from '#libs/client';

/** Size of the drawing in its own units. */
export const plot = { width: 600, height: 200 } as const;

interface Place {
  x: number;
  y: number;
}

/**
 * Points of a curve and of its bound, both starting today (no migration, no gain). Y grows downwards, 0 is the maximum
 * possible gain.
 */
export function placesOf(points: readonly Pick<CurvePoint, 'moves' | 'value' | 'bound'>[]): {
  reached: Place[];
  bounds: Place[];
} {
  const most = Math.max(1, ...points.map(({ moves }) => moves));
  const place = (moves: number, value: number): Place => ({
    x: (moves / most) * plot.width,
    y: (Math.min(100, Math.max(0, value)) / 100) * plot.height,
  });
  const today = place(0, 100);
  return {
    reached: [today, ...points.map(({ moves, value }) => place(moves, value))],
    bounds: [today, ...points.map(({ moves, bound }) => place(moves, bound))],
  };
}

/** Numbers of migrations below the curve: round steps, at most six of them, from 0. */
export function migrationTicks(points: readonly Pick<CurvePoint, 'moves'>[]): { at: number; label: string }[] {
  const most = Math.max(1, ...points.map(({ moves }) => moves));
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [0.2, 0.5, 1, 2].map((part) => part * power).find((size) => size >= 1 && most / size <= 5) ?? power;
  const steps = Math.floor(most / Math.max(1, step));
  return Array.from({ length: steps + 1 }, (_, index) => ({
    at: (index * step) / most,
    label: String(index * step),
  }));
}

/** An SVG path of lines through the points. */
export function pathOf(places: readonly Place[]): string {
  const text = ({ x, y }: Place) => `${Number(x.toFixed(1))} ${Number(y.toFixed(1))}`;
  return places.map((place, index) => `${index === 0 ? 'M' : 'L'} ${text(place)}`).join(' ');
}
