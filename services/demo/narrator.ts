import { Presets, SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import type { CloudSpread } from './cloud-spread.ts';

/** Prints progress for people. Silent with `--json`, where only the last line counts. */
export interface Narrator {
  say(text: string): void;
  table(head: string[], rows: (string | number)[][]): void;
  /** A progress bar on a terminal, else lines. */
  bar(title: string, total: number): { update(value: number, note: string): void; stop(): void };
  hosts(before: CloudSpread, after: CloudSpread): void;
}

/** Writes to `stream`, or nothing when `quiet`. */
export function createNarrator(options: { quiet: boolean; stream: NodeJS.WriteStream }): Narrator {
  const { quiet, stream } = options;
  const say = (text: string) => {
    if (!quiet) stream.write(`${text}\n`);
  };
  return {
    say,
    table(head, rows) {
      const table = new Table({ head, style: { head: [], border: [] }, wordWrap: true });
      table.push(...rows);
      say(table.toString());
    },
    bar(title, total) {
      if (quiet) return { update: () => undefined, stop: () => undefined };
      return stream.isTTY ? movingBar(title, total, stream) : printedBar(title, total, say);
    },
    hosts(before, after) {
      say('CPU load per host before and after (each # is 2.5 %):');
      const names = [...before.hosts.keys()].sort((a, b) => (before.hosts.get(b) ?? 0) - (before.hosts.get(a) ?? 0));
      for (const name of names) say(hostLine(name, before.hosts.get(name) ?? 0, after.hosts.get(name) ?? 0));
    },
  };
}

function hostLine(name: string, before: number, after: number): string {
  const gauge = (load: number) => '#'.repeat(Math.round(load / 2.5)).padEnd(40);
  return `  ${name.padEnd(14)} ${before.toFixed(1).padStart(5)} % ${gauge(before)} ${after.toFixed(1).padStart(5)} % ${gauge(after).trimEnd()}`;
}

function movingBar(title: string, total: number, stream: NodeJS.WriteStream) {
  const bar = new SingleBar(
    { format: `${title} [{bar}] {value}/{total} {note}`, stream, hideCursor: true, clearOnComplete: false },
    Presets.legacy,
  );
  bar.start(total, 0, { note: '' });
  return { update: (value: number, note: string) => bar.update(value, { note }), stop: () => bar.stop() };
}

function printedBar(title: string, total: number, say: (text: string) => void) {
  let last = -1;
  return {
    update(value: number, note: string) {
      if (value !== last) say(`${title} ${value}/${total} ${note}`);
      last = value;
    },
    stop: () => undefined,
  };
}
