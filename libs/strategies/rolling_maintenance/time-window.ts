import { InvalidInputError } from '#libs/domain';

const minutesOfDay = 24 * 60;

/**
 * Whether a moment lies in a daily window in UTC; one that ends before it begins goes over midnight.
 * @throws InvalidInputError when only one end is given, or both are the same.
 */
export function isInWindow(nowMs: number, start: string | undefined, end: string | undefined): boolean {
  if (start === undefined && end === undefined) return true;
  if (start === undefined || end === undefined)
    throw new InvalidInputError(
      start === undefined ? 'window_start' : 'window_end',
      'both ends of the window are needed',
    );
  const [from, to] = [minutesOf(start), minutesOf(end)];
  if (from === to) throw new InvalidInputError('window_end', 'must differ from window_start');
  const now = Math.floor(nowMs / 60_000) % minutesOfDay;
  return from < to ? now >= from && now < to : now >= from || now < to;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
