import { readFile } from 'node:fs/promises';
import { messageOf } from '#libs/domain';
import type { TaskCatalogue } from '../catalogue/task-definition.ts';
import { type Overrides, parseOverrides } from './overrides.ts';
import type { SchedulerConfiguration } from './task-scheduler.ts';

/** Reads the configuration file again at each call, so that a change needs no restart. */
export interface OverrideFile {
  read(): Promise<SchedulerConfiguration>;
}

/** @param path undefined: the schedules are those of the program. */
export function createOverrideFile(path: string | undefined, catalogue: TaskCatalogue): OverrideFile {
  let lastGood: Overrides | null = null;
  let lastText: string | null = null;
  return {
    async read() {
      if (path === undefined) return { overrides: { schedules: new Map(), warnings: [] }, fault: null };
      try {
        const text = await readFile(path, 'utf8');
        if (text !== lastText || lastGood === null) lastGood = parseOverrides(text, catalogue);
        lastText = text;
        return { overrides: lastGood, fault: null };
      } catch (error) {
        lastText = null;
        return { overrides: lastGood, fault: `${path}: ${messageOf(error)}; the last valid settings stay in force` };
      }
    },
  };
}
