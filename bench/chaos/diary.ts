/** From when to when something could not be used because the schedule said so; `toMs` is null while it lasts. */
interface Absence {
  who: string;
  how: string;
  fromMs: number;
  toMs: number | null;
}

/** What was done to the stack, and when, so that a long take-over can be explained. Times are those of `Date.now()`. */
export interface Diary {
  /** Something that has no length, such as a fault of the cloud. */
  note(text: string): void;
  /** Something is taken away; the answered function says that it is back. */
  away(who: string, how: string): () => void;
  /** What happened in that time, a line each with its time. */
  between(fromMs: number, toMs: number): { atMs: number; text: string }[];
  /** How long in that time all of `whos` were away at once, in milliseconds. */
  allAwayMs(whos: readonly string[], fromMs: number, toMs: number): number;
}

export function createDiary(): Diary {
  const notes: { atMs: number; text: string }[] = [];
  const absences: Absence[] = [];

  /** Moments at which something went or came back, so that nothing changes between two of them. */
  function momentsOf(whos: readonly string[], fromMs: number, toMs: number): number[] {
    const ends = absences
      .filter(({ who }) => whos.includes(who))
      .flatMap((absence) => [absence.fromMs, absence.toMs ?? toMs])
      .filter((ms) => ms > fromMs && ms < toMs);
    return [fromMs, ...ends, toMs].sort((one, other) => one - other);
  }

  function isAway(who: string, atMs: number): boolean {
    return absences.some((absence) => absence.who === who && absence.fromMs <= atMs && (absence.toMs ?? atMs) >= atMs);
  }

  return {
    note: (text) => void notes.push({ atMs: Date.now(), text }),
    away(who, how) {
      const absence: Absence = { who, how, fromMs: Date.now(), toMs: null };
      absences.push(absence);
      return () => {
        absence.toMs ??= Date.now();
      };
    },
    between(fromMs, toMs) {
      const told = absences.map(({ who, how, fromMs: atMs, toMs: end }) => {
        const length = end === null ? 'for good' : `for ${((end - atMs) / 1000).toFixed(1)} s`;
        return { atMs, endMs: end ?? Number.POSITIVE_INFINITY, text: `${who} ${how} ${length}` };
      });
      return [
        ...notes.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs),
        ...told.filter(({ atMs, endMs }) => endMs >= fromMs && atMs <= toMs),
      ].sort((one, other) => one.atMs - other.atMs);
    },
    allAwayMs(whos, fromMs, toMs) {
      const moments = momentsOf(whos, fromMs, toMs);
      return moments.slice(1).reduce((total, end, place) => {
        const begin = moments[place] as number;
        return whos.every((who) => isAway(who, (begin + end) / 2)) ? total + end - begin : total;
      }, 0);
    },
  };
}
