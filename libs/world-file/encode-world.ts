import { packLoad } from './load-sections.ts';
import { coarsen, percentSteps, type RecordedLoad } from './recorded-load.ts';
import { packFile, packSection } from './sections.ts';
import type { WorldFile } from './world-file.ts';

/** Tag of the section with the inventory, which is the first one. */
export const inventoryTag = 'INVT';
/** 20 MB: values become coarser before a file is larger. */
const desiredBytes = 20_000_000;

/**
 * A recorded world as a file. The same world and load always give the same bytes. Values are stored in steps of 0.5 %;
 * of 1 %, then 2 %, when the file would have more than `mostBytes` (default 20 MB).
 */
export function encodeWorld(world: WorldFile, load: RecordedLoad, mostBytes = desiredBytes): Buffer {
  let smallest: Buffer = Buffer.alloc(0);
  for (const percentStep of percentSteps) {
    if (percentStep < load.percentStep) continue;
    const stored = percentStep === load.percentStep ? load : coarsen(load, percentStep);
    const recording = {
      start: new Date(load.startMs).toISOString(),
      step_seconds: load.stepSeconds,
      steps: load.steps,
      anonymised: world.recording?.anonymised ?? false,
      percent_step: percentStep,
      ...(world.recording?.unread && { unread: world.recording.unread }),
    };
    const content = Buffer.from(JSON.stringify({ ...world, recording }));
    smallest = packFile([packSection({ tag: inventoryTag, content }), ...packLoad(stored)]);
    if (smallest.length <= mostBytes) break;
  }
  return smallest;
}
