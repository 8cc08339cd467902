import type { Placement } from './placement.ts';

/**
 * Whether the rules allow two moves together, `first` before `second`. `leaver` (-1: none) leaves the host of `second`
 * at the same time. Room is not checked.
 */
export function admitsPair(
  placement: Placement,
  first: number,
  firstTo: number,
  second: number,
  secondTo: number,
  leaver: number,
): boolean {
  if (!placement.admits(first, firstTo, second)) return false;
  const { groups, host } = placement;
  groups.move(first, host[first]!, firstTo);
  const admitted = placement.admits(second, secondTo, leaver);
  groups.move(first, firstTo, host[first]!);
  return admitted;
}
