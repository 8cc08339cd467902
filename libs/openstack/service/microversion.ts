/** A microversion such as 2.53. Compared by its two numbers, so 2.9 is older than 2.53. */
interface Microversion {
  major: number;
  minor: number;
}

/** The microversions that a call supports. The newest one that the server has is sent. */
export interface MicroversionRange {
  min: string;
  max: string;
}

/** Null when the text is not of the form `N.N`. */
function parseMicroversion(text: string): Microversion | null {
  const match = /^(\d+)\.(\d+)$/.exec(text);
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) };
}

/** Negative when `a` is older than `b`, 0 when they are equal. */
function compareMicroversions(a: Microversion, b: Microversion): number {
  return a.major === b.major ? a.minor - b.minor : a.major - b.major;
}

/** The newest microversion within both ranges, or null when they do not overlap. */
export function pickMicroversion(wanted: MicroversionRange, offered: MicroversionRange): string | null {
  const ends = [wanted.min, wanted.max, offered.min, offered.max].map(parseMicroversion);
  const [wantedMin, wantedMax, offeredMin, offeredMax] = ends;
  if (!wantedMin || !wantedMax || !offeredMin || !offeredMax) return null;
  const newest = compareMicroversions(wantedMax, offeredMax) <= 0 ? wantedMax : offeredMax;
  const oldest = compareMicroversions(wantedMin, offeredMin) >= 0 ? wantedMin : offeredMin;
  return compareMicroversions(newest, oldest) < 0 ? null : `${newest.major}.${newest.minor}`;
}
