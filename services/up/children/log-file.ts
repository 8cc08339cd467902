import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ownFolder } from '#libs/service-kit';

/** A log file whose writes never fail: lines that cannot be written are dropped and counted. */
export interface LogFile {
  write(line: string): void;
  /** Writes the waiting lines and closes the file. */
  close(): Promise<void>;
}

/** Options of a log file. */
export interface LogFileOptions {
  /** Size in bytes at which the file becomes `<file>.1` and a new one starts, also during writes. Default 20 MB. */
  rotateAtBytes?: number;
  /** Called with the number of dropped lines when the disk is full or too slow. */
  onLost(lines: number): void;
}

/** Maximum characters that wait for a slow disk. Further lines are dropped. */
const longestQueue = 4_000_000;

/**
 * Opens a log file in one of our folders. The first line creates it. When writes succeed again, the next line states
 * the number of dropped lines.
 */
export function openLogFile(file: string, { rotateAtBytes = 20_000_000, onLost }: LogFileOptions): LogFile {
  ownFolder(dirname(file));
  let waiting: string[] = [];
  let waitingChars = 0;
  let current: { handle: FileHandle; bytes: number } | null = null;
  let dropped = 0;
  let writing: Promise<void> | null = null;

  function drop(lines: number): void {
    dropped += lines;
    onLost(lines);
  }

  async function reopen(): Promise<{ handle: FileHandle; bytes: number }> {
    const handle = await open(file, 'a', 0o600);
    const { size } = await handle.stat();
    current = { handle, bytes: size };
    return current;
  }

  async function letGo(): Promise<void> {
    const { handle } = current ?? {};
    current = null;
    await handle?.close().catch(() => undefined);
  }

  async function append(lines: readonly string[]): Promise<void> {
    let target = current ?? (await reopen());
    if (target.bytes > rotateAtBytes) {
      await letGo();
      await rename(file, `${file}.1`);
      target = await reopen();
    }
    // The last write before the disk was full may be half a line.
    const reported = dropped > 0 ? `\n${noteOf(dropped)}\n` : '';
    const text = Buffer.from(`${reported}${lines.join('\n')}\n`);
    await target.handle.writeFile(text);
    target.bytes += text.length;
    dropped = 0;
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      waitingChars = 0;
      try {
        await append(lines);
      } catch {
        drop(lines.length);
        await letGo();
      }
    }
    writing = null;
  }

  return {
    write(line) {
      if (waitingChars > longestQueue) {
        drop(1);
        return;
      }
      waiting.push(line);
      waitingChars += line.length;
      writing ??= drain();
    },
    async close() {
      await writing;
      await letGo();
    },
  };
}

function noteOf(lines: number): string {
  const time = new Date().toISOString();
  return JSON.stringify({
    level: 'warn',
    time,
    service: 'up',
    lines,
    msg: 'log lines could not be written and were dropped',
  });
}
