import { counted } from '#libs/domain';
import type { StrategyManifest } from '#libs/plugin-kit';
import type { DayFindings } from './assess-days.ts';
import type { ProposalFindings } from './assess-proposals.ts';
import {
  type AssessedProperty,
  type PropertyVerdict,
  type RawFinding,
  type StrategyAssessment,
  unitedFindings,
} from './assessment.ts';
import type { RunBounds } from './run-proposals.ts';

/** Summary of a property without findings. `verdict` differs if the worlds provide no evidence. */
type Evidence = Pick<PropertyVerdict, 'verdict' | 'summary'>;

/** The report on a strategy. */
export function verdictsOf(
  { name, goal }: StrategyManifest,
  { proposals, calm }: { proposals: ProposalFindings; calm: DayFindings },
  { command, bounds }: { command: string; bounds: RunBounds },
): StrategyAssessment {
  const { worlds, runs, refusals, actions, mostActions, longestMs } = proposals;
  const findings = [...proposals.findings, ...calm.findings];
  const held = { ...evidenceOf(proposals, bounds), calm: evidenceOfDays(calm) };
  const properties = (Object.keys(held) as AssessedProperty[]).map((property) =>
    verdictOf(property, findings, held[property], command),
  );
  return {
    ...{ strategy: name, goal, properties },
    good: properties.every(({ verdict }) => verdict !== 'broken'),
    measures: { worlds, runs, refusals, actions, most_actions: mostActions, longest_ms: Math.round(longestMs) },
    days: calm.days,
  };
}

function verdictOf(
  property: AssessedProperty,
  all: readonly RawFinding[],
  held: Evidence,
  command: string,
): PropertyVerdict {
  const findings = unitedFindings(
    all.filter((finding) => finding.property === property),
    command,
  );
  if (findings.length === 0) return { property, ...held, findings };
  const worlds = Math.max(...findings.map((finding) => finding.worlds));
  const where = worlds > 1 ? `, in up to ${worlds} worlds` : '';
  const summary = `${counted(findings.length, 'kind')} of faults${where}.`;
  return { property, verdict: 'broken', summary, findings };
}

function evidenceOf(
  proposals: ProposalFindings,
  { timeLimitMs }: RunBounds,
): Record<Exclude<AssessedProperty, 'calm'>, Evidence> {
  const { worlds, refusals, acting, actions, mostActions, lastRefusal } = proposals;
  const longest = (proposals.longestMs / 1000).toFixed(1);
  const results = worlds - refusals;
  const refused = refusals === 0 ? '' : `; ${counted(refusals, 'run')} refused for a lack of data`;
  const nothing = notAssessed(
    results === 0 ? `Every run was refused: ${lastRefusal ?? ''}` : `No action was proposed in ${worlds} worlds.`,
  );
  return {
    deterministic:
      results === 0
        ? nothing
        : holds(`The same ${counted(results, 'result')} with other orders of rows and another time.`),
    bounded: holds(`At most ${longest} of ${timeLimitMs / 1000} s, ${counted(mostActions, 'action')} in a run.`),
    robust: holds(`${counted(results, 'world')} with a result${refused}.`),
    constraints:
      acting === 0
        ? nothing
        : holds(`${counted(actions, 'action')} in ${counted(acting, 'world')}, all possible and in the scope.`),
  };
}

function evidenceOfDays({ days, mostOfOne, failure }: DayFindings): Evidence {
  if (days.length === 0) return notAssessed(failure ?? 'No day was played.');
  const moves = days.reduce((sum, day) => sum + day.moves, 0);
  if (moves === 0) return notAssessed(`No instance was moved on ${counted(days.length, 'day')}.`);
  return holds(`${counted(moves, 'move')} on ${counted(days.length, 'day')}, at most ${mostOfOne} of an instance.`);
}

function holds(summary: string): Evidence {
  return { verdict: 'holds', summary };
}

function notAssessed(summary: string): Evidence {
  return { verdict: 'not_assessed', summary };
}
