/** Properties that an assessment checks, in the order of its report. */
export const assessedProperties = ['deterministic', 'bounded', 'robust', 'constraints', 'calm'] as const;
export type AssessedProperty = (typeof assessedProperties)[number];

/** Evidence against a property: that of the smallest world in which it was found. */
export interface Finding {
  /** One sentence. */
  what: string;
  /** The action that breaks the property, as text. Null without such a single action. */
  action: string | null;
  world: string;
  /** Number of worlds with the same finding. */
  worlds: number;
  /** Command that reproduces it. */
  reproduce: string;
}

/** Verdict on a property of a strategy. */
export interface PropertyVerdict {
  property: AssessedProperty;
  verdict: 'holds' | 'broken' | 'not_assessed';
  /** One sentence: the evidence for it, or why it was not assessed. */
  summary: string;
  /** At most five, of different kinds. Empty unless the property is broken. */
  findings: Finding[];
}

/** Result of an assessment of one strategy. */
export interface StrategyAssessment {
  strategy: string;
  goal: string;
  /** Whether no property is broken. */
  good: boolean;
  properties: PropertyVerdict[];
  /** Sums over all runs on single worlds. `refusals`: runs that the strategy refused for a lack of data. */
  measures: {
    worlds: number;
    runs: number;
    refusals: number;
    actions: number;
    most_actions: number;
    longest_ms: number;
  };
  /** Moves over the days of the property `calm`, by day. */
  days: { day: string; audits: number; moves: number; moves_per_instance: number; returns: number }[];
}

/** Result of `assessStrategy`. */
export interface Assessment {
  plugin: string;
  /** Seed of the first random world. */
  seed: number;
  good: boolean;
  strategies: StrategyAssessment[];
}

/** A finding in one world, before findings of the same kind are merged. */
export interface RawFinding {
  property: AssessedProperty;
  /** Findings with the same key are merged. */
  kind: string;
  what: string;
  action: string | null;
  world: { name: string; size: number; options: string };
}

/** Most findings of a property in the report. */
const mostFindings = 5;

/** The findings of a property, one for each kind, those of the smallest worlds first. */
export function unitedFindings(raw: readonly RawFinding[], command: string): Finding[] {
  const kinds = new Map<string, RawFinding[]>();
  for (const finding of raw) kinds.set(finding.kind, [...(kinds.get(finding.kind) ?? []), finding]);
  const united = [...kinds.values()].map((all) => {
    const smallest = all.reduce((best, one) => (one.world.size < best.world.size ? one : best));
    return { smallest, worlds: new Set(all.map(({ world }) => world.name)).size };
  });
  united.sort((one, other) => one.smallest.world.size - other.smallest.world.size);
  return united.slice(0, mostFindings).map(({ smallest: { what, action, world }, worlds }) => ({
    ...{ what, action, world: world.name, worlds },
    reproduce: [command, world.options].filter((part) => part !== '').join(' '),
  }));
}
