/** Reports the steps of a start to users. */
export interface Progress {
  /** Starts a step, such as `starting the database`. */
  step(text: string): void;
  /** Prints a separate line within a step and makes it the current step. */
  note(text: string, next: string): void;
  end(): void;
}

const stillMs = 5_000;

/** Prints each step, and every 5 s that it continues. */
export function createProgress(print: (line: string) => void): Progress {
  const begin = performance.now();
  let current = '';
  const seconds = () => `${((performance.now() - begin) / 1000).toFixed(1)} s`;
  const timer = setInterval(() => {
    if (current !== '') print(`  still ${current} (${seconds()})`);
  }, stillMs);
  timer.unref();
  return {
    step(text) {
      current = text;
      print(`  ${text} …`);
    },
    note(text, next) {
      current = next;
      print(`  ${text} (${seconds()})`);
    },
    end: () => clearInterval(timer),
  };
}
