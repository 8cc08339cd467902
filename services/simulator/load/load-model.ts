import type { LoadProfile } from '#libs/world-file';
import type { PlayedServer } from '../recording/recorded-play.ts';
import { hashText, hashUnit } from '../seeded.ts';

/** Properties of an instance for the load model. */
export interface LoadSubject {
  load: LoadProfile;
  /** Key of its noise. */
  loadKey: number;
  /** Multiplies the CPU. */
  loadFactor: number;
  flavor: { vcpus: number; ramMb: number };
  /** Its recorded load, which replaces the profile. */
  recorded?: PlayedServer;
}

const day = 86_400;
const noiseStepSeconds = 300;
const burstStepSeconds = 1_800;
const memoryStepSeconds = 7_200;

/** A profile without gaps: a missing one is derived from the uuid, a missing phase from the project. */
export function completeProfile(
  profile: LoadProfile | undefined,
  uuid: string,
  project: string,
): Required<LoadProfile> {
  const key = hashText(uuid);
  const tenant = hashUnit(11, hashText(project), 0);
  const drawn: LoadProfile = profile ?? {
    kind: (['idle', 'steady', 'diurnal', 'bursty'] as const)[Math.floor(4 * hashUnit(12, key, 0))] ?? 'steady',
    base: Math.round(3 + 50 * hashUnit(13, key, 0) ** 2),
  };
  const bursty = drawn.kind === 'bursty';
  const fallbackAmplitude = drawn.kind === 'diurnal' && profile === undefined ? drawn.base / 2 : 0;
  return {
    kind: drawn.kind,
    base: drawn.base,
    amplitude: drawn.amplitude ?? fallbackAmplitude,
    phase: drawn.phase ?? tenant,
    noise: drawn.noise ?? (drawn.kind === 'idle' ? 0.5 : 2),
    burst_probability: drawn.burst_probability ?? (bursty ? 0.15 : 0),
    burst_cpu: drawn.burst_cpu ?? (bursty ? 40 : 0),
    memory: drawn.memory ?? 0.35 + 0.4 * hashUnit(14, key, 0),
  };
}

/** Value noise: random values in [-1, 1] at every step, linear between them. */
function smoothNoise(seed: number, key: number, second: number, stepSeconds: number): number {
  const position = second / stepSeconds;
  const index = Math.floor(position);
  const before = hashUnit(seed, key, index);
  const after = hashUnit(seed, key, index + 1);
  return 2 * (before + (after - before) * (position - index)) - 1;
}

/**
 * CPU of a running instance, percent of its vCPUs (0 to 100), at a simulated second:
 *
 *     factor x (base + amplitude x sin(2 pi (day + phase)) + noise x n(t) + burst(t))
 *
 * n(t) is value noise in [-1, 1] with a step of 5 minutes. burst(t) is `burst_cpu` in those half hours that a draw with
 * `burst_probability` picks. The same seed, instance and second always give the same value. Of recorded load it is
 * factor x the recorded value, 0 where nothing was measured.
 */
export function instanceCpuPercent(subject: LoadSubject, second: number, seed: number): number {
  if (subject.recorded !== undefined)
    return Math.min(100, subject.loadFactor * (subject.recorded.cpuPercent(second) || 0));
  const profile = subject.load;
  const amplitude = profile.amplitude ?? 0;
  const wave = amplitude === 0 ? 0 : amplitude * Math.sin(2 * Math.PI * (second / day + (profile.phase ?? 0)));
  const noise = (profile.noise ?? 0) * smoothNoise(seed, subject.loadKey, second, noiseStepSeconds);
  const probability = profile.burst_probability ?? 0;
  const inBurst =
    probability > 0 &&
    hashUnit(seed ^ 0x5bd1e995, subject.loadKey, Math.floor(second / burstStepSeconds)) < probability;
  const value = subject.loadFactor * (profile.base + wave + noise + (inBurst ? (profile.burst_cpu ?? 0) : 0));
  return Math.min(100, Math.max(0, value));
}

/**
 * Resident memory of a running instance, MiB: its share of the flavor's memory, varying by 5 % over hours, or as
 * recorded.
 */
export function instanceRamMb(subject: LoadSubject, second: number, seed: number): number {
  if (subject.recorded !== undefined)
    return subject.flavor.ramMb * Math.min(1, (subject.recorded.memoryPercent(second) || 0) / 100);
  const part =
    (subject.load.memory ?? 0.5) *
    (1 + 0.05 * smoothNoise(seed ^ 0x27d4eb2f, subject.loadKey, second, memoryStepSeconds));
  return subject.flavor.ramMb * Math.min(1, Math.max(0.02, part));
}
