import type { ActionPlanDuration } from '#libs/client';

/** A range of seconds in words, such as `30 s to 2 min`. */
export function rangeText({ low, high }: ActionPlanDuration['seconds']): string {
  const [from, to] = [lengthText(low), lengthText(high)];
  return from === to ? from : `${from} to ${to}`;
}

/** Where an estimate comes from, such as `from 41 measured actions`. */
export function sourceText({
  measured_actions: count,
  guessed_types: guessed,
}: Pick<ActionPlanDuration, 'measured_actions' | 'guessed_types'>): string {
  if (count === 0) return 'default guess';
  const measured = `from ${count} measured ${count === 1 ? 'action' : 'actions'}`;
  return guessed.length === 0 ? measured : `${measured}; default guess for ${guessed.join(', ')}`;
}

function lengthText(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 60) return `${Math.round(seconds / 5) * 5} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
