import { type AutomationLevel, automationLevels, InvalidInputError, type OppositeAuditsMode } from '#libs/domain';
import { type DayAudit, parseAudits } from '../services/decision-engine/replay/audits.ts';
import type { DayWorld } from '../services/decision-engine/replay/replay-world.ts';
import { type DayResult, simulateDay } from '../services/decision-engine/replay/simulate-day.ts';
import { benchArguments } from './arguments.ts';
import { generatedWeek, noiseSteps, noisyWorld } from './day/generated-worlds.ts';
import { readTraces } from './day/traces.ts';
import { tracesWorld } from './day/world.ts';
import { type BenchGoal, finishBench, rounded, table } from './report.ts';

const defaults = { hosts: 40, seed: 1 };
const generated: Record<string, (hosts: number, seed: number) => DayWorld> = { week: generatedWeek, noise: noisyWorld };

async function makeWorld(
  { hosts, seed }: typeof defaults,
  { traces, world = 'week' }: Partial<Record<'traces' | 'world', string>>,
): Promise<DayWorld> {
  if (traces !== undefined) return tracesWorld(await readTraces(traces), hosts);
  const make = generated[world];
  if (make === undefined)
    throw new InvalidInputError('--world', `must be ${Object.keys(generated).join(' or ')}, not "${world}"`);
  return make(hosts, seed);
}

function levelOf(given = '3'): AutomationLevel {
  const level = automationLevels.find((known) => String(known) === given);
  if (level === undefined) throw new InvalidInputError('--level', `must be 0 to 3, not ${given}`);
  return level;
}

function oppositeOf(given = 'allow'): OppositeAuditsMode {
  if (given === 'allow' || given === 'merge') return given;
  throw new InvalidInputError('--opposite', `must be allow or merge, not "${given}"`);
}

/** Traces: the published limits of consolidation, by hosts. kWh of one day. */
const consolidationKwh: Record<number, number> = { 800: 150, 200: 48 };

function goalsOf(world: DayWorld, audits: readonly DayAudit[], { sums }: DayResult): BenchGoal[] {
  const goal = (measure: string, limit: number, unit: string): BenchGoal => ({
    name: measure,
    value: rounded(sums[measure] ?? Number.NaN, 3),
    limit,
    unit,
  });
  const refused = goal('refused', 0, 'actions');
  if (world.name === 'noise') return [refused, goal('settled_moves', 0, 'moves')];
  const names = audits.map(({ strategyName }) => strategyName);
  const isBalance = names.join() === 'balance_optimizer';
  if (world.name === 'traces' && isBalance) return [refused, goal('moves', 0, 'moves')];
  const kwh = consolidationKwh[world.hosts.length];
  if (world.name !== 'traces' || kwh === undefined || !names.includes('saving_energy')) return [refused];
  return [
    refused,
    goal('kwh', kwh, 'kWh'),
    goal('unmet_percent', 0.05, '%'),
    goal('moves_per_instance', 1, 'moves'),
    goal('most_moves_of_one', 4, 'moves'),
  ];
}

function roundedRow(row: object): Record<string, number> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, rounded(Number(value), 3)]));
}

/**
 * Continuous audits (`--audits`, a list) of an automation level (`--level`, default 3) on a cloud whose load lives:
 * `--traces`, or a generated `--world`. `--opposite` is the mode of those with opposite aims (default `allow`). Audits
 * run every 5 minutes through the decision engine's computation and threads. Plans are carried out by their graph and
 * take their time. The error output has the plans that the level started and left, and with `--hours` the course.
 * @throws InvalidInputError
 */
export async function dayBench(args: string[]): Promise<void> {
  const { json, flags, numbers, texts } = benchArguments(
    args,
    defaults,
    ['hours'],
    ['traces', 'world', 'audits', 'level', 'opposite'],
  );
  const audits = texts.audits === undefined || texts.audits === 'none' ? [] : parseAudits(texts.audits);
  const world = await makeWorld(numbers, texts);
  const begin = process.cpuUsage();
  const firstStep = world.name === 'noise' ? noiseSteps.history : 0;
  const settledStep = world.name === 'noise' ? noiseSteps.history + noiseSteps.settle : 0;
  const level = levelOf(texts.level);
  const oppositeAudits = oppositeOf(texts.opposite);
  const result = await simulateDay(world, audits, {
    firstStep,
    settledStep,
    level,
    engine: { oppositeAudits },
    onStep({ step, steps, moves }) {
      if (step % 12 === 0 || step === steps) process.stderr.write(`\rstep ${step} of ${steps}, ${moves} moves `);
    },
  });
  process.stderr.write('\n');
  const { user, system } = process.cpuUsage(begin);
  if (flags.hours) process.stderr.write(`${table(result.hours.map(roundedRow))}\n`);
  process.stderr.write(`level ${level}\n${table(result.decisions)}\n`);
  const measured = Object.entries({ ...result.sums, processor_s: (user + system) / 1e6 });
  finishBench(
    {
      bench: 'day',
      results: [
        {
          name: texts.audits ?? 'none',
          level,
          world: world.name,
          hosts: world.hosts.length,
          instances: world.instances.length,
          ...Object.fromEntries(measured.map(([name, value]) => [name, rounded(value, 3)])),
        },
      ],
      goals: goalsOf(world, audits, result),
    },
    { json },
  );
}
