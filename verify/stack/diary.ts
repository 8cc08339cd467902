/** Period in which the schedule made something unavailable. `toMs` is null while it lasts. */
interface Absence {
  who: string;
  how: string;
  fromMs: number;
  toMs: number | null;
}

/** Record of the disturbances of the stack, to explain a long take-over. Times are those of `Date.now()`. */
export interface Diary {
  /** Records an event without duration, such as a fault of the cloud. */
  note(text: string): void;
  /** Records the start of an outage. The returned function records its end. */
  away(who: string, how: string): () => void;
  /** Returns the events of that period, a line each with its time. */
  between(fromMs: number, toMs: number): { atMs: number; text: string }[];
  /** The longest time between `fromMs` and `toMs` in which all of `who` were available, in milliseconds. */
  longestPresenceMs(who: readonly string[], fromMs: number, toMs: number): number;
  /** The longest outage of `who`, in milliseconds. 0 without an outage. */
  longestAbsenceMs(who: readonly string[]): number;
}

export function createDiary(): Diary {
  const notes: { atMs: number; text: string }[] = [];
  const absences: Absence[] = [];

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
      const reported = absences.map(({ who, how, fromMs: atMs, toMs: end }) => {
        const length = end === null ? 'permanently' : `for ${((end - atMs) / 1000).toFixed(1)} s`;
        return { atMs, endMs: end ?? Number.POSITIVE_INFINITY, text: `${who} ${how} ${length}` };
      });
      return [
        ...notes.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs),
        ...reported.filter(({ atMs, endMs }) => endMs >= fromMs && atMs <= toMs),
      ].sort((one, other) => one.atMs - other.atMs);
    },
    longestPresenceMs(who, fromMs, toMs) {
      const own = absences
        .filter((absence) => who.includes(absence.who) && absence.fromMs < toMs && (absence.toMs ?? toMs) > fromMs)
        .sort((one, other) => one.fromMs - other.fromMs);
      let [longest, sinceMs] = [0, fromMs];
      for (const absence of own) {
        longest = Math.max(longest, absence.fromMs - sinceMs);
        sinceMs = Math.max(sinceMs, absence.toMs ?? toMs);
      }
      return Math.max(longest, toMs - sinceMs);
    },
    longestAbsenceMs(who) {
      const own = absences.filter((absence) => who.includes(absence.who));
      return Math.max(0, ...own.map(({ fromMs, toMs }) => (toMs ?? Date.now()) - fromMs));
    },
  };
}
