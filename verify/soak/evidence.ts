import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Fault, SoakRecord } from './record.ts';
import type { SoakVerdict } from './verdict.ts';

/** Faults of each verdict and log lines of each fault that are written. */
const mostFaults = 50;
const mostLines = 300;

/** Folder with the logs of all processes and the evidence of each fault. */
export interface EvidenceFolder {
  path: string;
  /** Adds to the log of a process. */
  log(name: string, chunk: string): void;
  /** Writes one file for each fault, the record and the verdict. */
  write(verdict: SoakVerdict, record: SoakRecord, document: object): void;
}

/** Makes the folder. */
export function createEvidenceFolder(given: string): EvidenceFolder {
  const path = resolve(given);
  const logs = join(path, 'logs');
  mkdirSync(logs, { recursive: true });

  /** Lines of all processes that name one of the ids, in the order of their times. */
  function linesAbout(ids: readonly string[]): unknown[] {
    if (ids.length === 0) return [];
    const lines = readdirSync(logs).flatMap((file) =>
      readFileSync(join(logs, file), 'utf8')
        .split('\n')
        .filter((line) => ids.some((id) => line.includes(id)))
        .map((line) => ({ process: file.replace(/\.log$/, ''), ...parsed(line) })),
    );
    return lines.sort((one, other) => String(one.time).localeCompare(String(other.time))).slice(0, mostLines);
  }

  function writeJson(name: string, value: unknown): void {
    writeFileSync(join(path, name), `${JSON.stringify(value, plain, 2)}\n`);
  }

  function writeFault(name: string, number: number, fault: Fault): void {
    const { text, atMs, ids, evidence } = fault;
    writeJson(`${name}-${number}.json`, {
      text,
      at: new Date(atMs).toISOString(),
      ids,
      evidence,
      log: linesAbout(ids),
    });
  }

  return {
    path,
    log: (name, chunk) => appendFileSync(join(logs, `${name}.log`), chunk),
    write({ faults }, record, document) {
      for (const [name, found] of Object.entries(faults)) {
        for (const [place, fault] of found.slice(0, mostFaults).entries()) writeFault(name, place + 1, fault);
      }
      writeJson('verdict.json', document);
      writeJson('plans.json', [...record.plans.values()]);
      for (const [name, rows] of [
        ['requests', record.requests],
        ['migrations', record.migrations],
        ['actions', [...record.actions.values()]],
        ['samples', record.samples],
        ['resources', record.resources],
      ] as const) {
        writeFileSync(join(path, `${name}.jsonl`), rows.map((row) => `${JSON.stringify(row, plain)}\n`).join(''));
      }
    },
  };
}

/** Maps and sets as plain values. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...value] : value;
}

function parsed(line: string): { time?: string; [field: string]: unknown } {
  try {
    return JSON.parse(line) as { time?: string };
  } catch {
    return { text: line };
  }
}
