import type { ProbeResult } from '#libs/plugin-kit';

/** What a look at a move of a server or volume can mean; each kind of move knows some of these. */
export type Judged = 'idle' | 'running' | 'verify' | 'applied' | 'failed' | 'foreign';

const probeResults: Record<Judged, ProbeResult> = {
  idle: 'not_started',
  running: 'in_progress',
  verify: 'in_progress',
  applied: 'applied',
  failed: 'failed',
  foreign: 'failed',
};

/** How an attempt stands. A request that the service accepted and then shows no trace of has failed. */
export function probeResult(kind: Judged, wasAccepted: boolean): ProbeResult {
  return kind === 'idle' && wasAccepted ? 'failed' : probeResults[kind];
}
