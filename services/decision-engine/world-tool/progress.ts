/** Shows how far a work is, on a terminal in one line, otherwise a line for each tenth. */
export interface Progress {
  show(text: string, done: number, of: number): void;
  /** Ends the line. */
  end(): void;
}

/**
 * A display of progress on a stream, such as the error output. Nothing is written while the shown number is the same.
 */
export function createProgress(stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): Progress {
  let last = '';
  return {
    show(text, done, of) {
      const tenth = Math.floor((10 * done) / Math.max(1, of));
      const percent = Math.floor((100 * done) / Math.max(1, of));
      const shown = `${text}: ${stream.isTTY ? percent : 10 * tenth} %`;
      if (shown === last) return;
      last = shown;
      stream.write(stream.isTTY ? `\r${shown}   ` : `${shown}\n`);
    },
    end() {
      if (stream.isTTY && last !== '') stream.write('\n');
    },
  };
}
