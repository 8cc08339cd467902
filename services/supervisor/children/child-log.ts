import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { openLogFile } from './log-file.ts';

/** Where the output of a child process goes. */
export interface ChildLog {
  /** The former content is kept as `<file>.1` whenever it has grown over 20 MB. */
  file: string;
  /** Lines that are not structured logs: they are meant for people. */
  onText(line: string): void;
  /** Told how many lines could not be written to the file. */
  onLost(lines: number): void;
}

/** Writes what a child process prints to a file, whose faults disturb nobody. */
export function keepLog(streams: readonly (Readable | null)[], { file, onText, onLost }: ChildLog): void {
  const sink = openLogFile(file, { onLost });
  const open = streams.flatMap((stream) => (stream ? [createInterface({ input: stream })] : []));
  let left = open.length;
  for (const lines of open) {
    lines.on('line', (line) => {
      sink.write(line);
      if (!line.startsWith('{') && line.trim() !== '') onText(line);
    });
    lines.once('close', () => {
      left -= 1;
      if (left === 0) void sink.close();
    });
  }
}
