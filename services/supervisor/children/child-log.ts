import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ownFolder } from '#libs/service-kit';

const rotateAtBytes = 20_000_000;

/**
 * Writes what a child process prints to a file (the former one is kept as `<file>.1` when it has grown over 20 MB).
 * Lines that are not structured logs are meant for people and go to `onText` too.
 */
export function keepLog(file: string, streams: (Readable | null)[], onText: (line: string) => void): void {
  ownFolder(dirname(file));
  if (existsSync(file) && statSync(file).size > rotateAtBytes) renameSync(file, `${file}.1`);
  const sink = createWriteStream(file, { flags: 'a', mode: 0o600 });
  for (const stream of streams) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      sink.write(`${line}\n`);
      if (!line.startsWith('{') && line.trim() !== '') onText(line);
    });
  }
}
