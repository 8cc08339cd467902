/** Shows the progress of a task: in one line on a terminal, otherwise in a line for each tenth. */
export interface Progress {
  show(text: string, done: number, of: number): void;
  /** Ends the progress line. */
  end(): void;
}

/** Creates a progress display on a stream, such as stderr. It writes only when the shown number changes. */
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
