import type { RandomSource } from '#libs/domain';
import { testUuid } from '#libs/plugin-kit/testing';
import { type DayInstance, type DayWorld, stepSeconds } from '../../services/decision-engine/replay/replay-world.ts';
import { seriesOf } from '../../services/decision-engine/replay/step-series.ts';
import { seededRandom } from '../synthetic-world.ts';
import { dayHosts, instanceKinds, startMs, testSnapshot } from './world.ts';

const stepsOfDay = 86_400 / stepSeconds;
const days = 7;
const instancesPerHost = 1.3;

/** Share of the daily peak at an hour of the day, on working days and at weekends. */
type Season = (hour: number, isWeekend: boolean) => number;

const seasons: readonly Season[] = [
  // Office hours.
  (hour, isWeekend) => (isWeekend ? 0.25 : 0.25 + 0.75 * bell(hour, 13, 4)),
  // Visitors in the evening, more at weekends.
  (hour, isWeekend) => (isWeekend ? 0.4 : 0.3) + 0.6 * bell(hour, 20, 3),
  // Nightly jobs.
  (hour) => 0.15 + 0.85 * bell((hour + 12) % 24, 14.5, 1.5),
  // No season.
  () => 0.6,
];

function bell(hour: number, centre: number, width: number): number {
  return Math.exp(-((hour - centre) ** 2) / (2 * width ** 2));
}

function draw(random: RandomSource, from: number, to: number): number {
  return from + (to - from) * random();
}

/** Season times level with noise. Now and then a burst of up to two hours takes most of the CPU. */
function weekOf(random: RandomSource, steps: number): Float32Array {
  const season = seasons[Math.floor(random() * seasons.length)] as Season;
  const peak = draw(random, 10, 70);
  const percents = new Float32Array(steps);
  let burst = 0;
  for (let step = 0; step < steps; step += 1) {
    if (burst > 0) burst -= 1;
    else if (random() < 0.0007) burst = Math.floor(draw(random, 3, 24));
    const day = Math.floor(step / stepsOfDay);
    const level = peak * season(((step % stepsOfDay) * 24) / stepsOfDay, day % days >= 5);
    const percent = burst > 0 ? draw(random, 75, 100) : level * draw(random, 0.85, 1.15);
    percents[step] = Math.min(100, percent);
  }
  return percents;
}

function instance(row: number, arrives: number, departs: number): DayInstance {
  return {
    name: `vm-${row}`,
    uuid: testUuid(`vm-${row}`),
    ...instanceKinds[row % instanceKinds.length]!,
    arrives,
    departs,
  };
}

/**
 * A week from Monday on: daily and weekly seasons, bursts, a fifth of the instances arrive late or depart early, and a
 * host fails on Wednesday at 10:00 for six hours.
 */
export function generatedWeek(hosts: number, seed: number): DayWorld {
  const random = seededRandom(seed);
  const steps = days * stepsOfDay;
  const percents: Float32Array[] = [];
  const instances = Array.from({ length: Math.round(hosts * instancesPerHost) }, (_, row) => {
    percents.push(weekOf(random, steps));
    const comes = random() < 0.1 ? Math.floor(random() * steps) : 0;
    const leaves = random() < 0.1 ? Math.floor(random() * steps) : steps;
    return instance(row, Math.min(comes, leaves), Math.max(comes, leaves));
  });
  const fails = 2 * stepsOfDay + stepsOfDay * (10 / 24);
  const failure = { host: Math.floor(random() * hosts), fails, returns: fails + stepsOfDay / 4 };
  return {
    name: 'week',
    startMs,
    snapshot: testSnapshot,
    steps,
    hosts: dayHosts(hosts),
    instances,
    load: { cpu: seriesOf(percents), memory: null, overhead: null },
    failures: [failure],
  };
}

/**
 * Steps of the world with noise. `history`: before the first audit, as long as the window in which audits read loads.
 * An audit without a complete history fills hosts less, and frees more of them with each further sample. `settle`: in
 * which audits may move instances.
 */
export const noiseSteps = { history: 12, settle: 12, counted: 100 } as const;

/** Each instance keeps its own level, give or take 5 %. */
export function noisyWorld(hosts: number, seed: number): DayWorld {
  const random = seededRandom(seed);
  const steps = noiseSteps.history + noiseSteps.settle + noiseSteps.counted;
  const count = Math.round(hosts * instancesPerHost * 2);
  const percents = Array.from({ length: count }, () => {
    const level = draw(random, 20, 70);
    return Float32Array.from({ length: steps }, () => level * draw(random, 0.95, 1.05));
  });
  return {
    ...{ name: 'noise', startMs, snapshot: testSnapshot, steps, hosts: dayHosts(hosts), failures: [] },
    instances: percents.map((_, row) => instance(row, 0, steps)),
    load: { cpu: seriesOf(percents), memory: null, overhead: null },
  };
}
