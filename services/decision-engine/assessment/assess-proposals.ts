import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '#libs/domain';
import { type PluginRegistry, type StrategyManifest, type StrategyPlugin, validateParameters } from '#libs/plugin-kit';
import type { AssessedWorld } from './assessed-world.ts';
import type { RawFinding } from './assessment.ts';
import { describeAction, judgeProposal } from './judge-proposal.ts';
import {
  createProposalRunner,
  type NoProposal,
  type Proposal,
  type ProposalRunner,
  type RunBounds,
} from './run-proposals.ts';

/** Offset of the clock in the second run: another hour and another day of the week. */
const clockAheadMs = ((3 * 24 + 13) * 60 + 17) * 60_000 + 29_000;
/** Seed of the other order of rows. */
const otherOrder = 2;
/** Runs ended by a time or memory limit after which the remaining worlds are skipped. */
const mostEnds = 2;

/** Findings of the runs on single worlds, and numbers of them. */
export interface ProposalFindings {
  findings: RawFinding[];
  worlds: number;
  runs: number;
  refusals: number;
  /** Worlds with a proposal that has actions. */
  acting: number;
  actions: number;
  mostActions: number;
  longestMs: number;
  /** Why no result was compared: message of the last refusal. */
  lastRefusal: string | null;
}

/** A strategy under assessment. Parameters are valid, and have their defaults. */
export interface Assessed {
  registry: PluginRegistry;
  strategy: StrategyPlugin;
  parameters: JsonObject;
  bounds: RunBounds;
  /** Called before each world. */
  onWorld(world: AssessedWorld): void;
  signal: AbortSignal | undefined;
}

/** Runs the strategy twice on each world. The second run has another order of rows and another time. */
export async function assessProposals(assessed: Assessed, worlds: Iterable<AssessedWorld>): Promise<ProposalFindings> {
  const { registry, strategy, parameters, bounds } = assessed;
  const plain = createProposalRunner(registry, { bounds, parameters, clockAheadMs: 0 });
  const ahead = createProposalRunner(registry, { bounds, parameters, clockAheadMs });
  const sums: ProposalFindings = {
    ...{ findings: [], worlds: 0, runs: 0, refusals: 0, acting: 0, actions: 0, mostActions: 0, longestMs: 0 },
    lastRefusal: null,
  };
  try {
    for (const world of worlds) {
      assessed.signal?.throwIfAborted();
      assessed.onWorld(world);
      await assessWorld(strategy, world, { plain, ahead }, sums);
      if (sums.findings.filter(({ property }) => property === 'bounded').length >= mostEnds) break;
    }
  } finally {
    await Promise.all([plain.close(), ahead.close()]);
  }
  return sums;
}

async function assessWorld(
  strategy: StrategyPlugin,
  world: AssessedWorld,
  { plain, ahead }: { plain: ProposalRunner; ahead: ProposalRunner },
  sums: ProposalFindings,
): Promise<void> {
  const blame = (property: RawFinding['property'], kind: string, what: string, action: string | null = null) =>
    sums.findings.push({ property, kind, what, action, world });
  const first = await plain.run(strategy, world, 0);
  sums.worlds += 1;
  sums.runs += 1;
  sums.longestMs = Math.max(sums.longestMs, first.ms);
  if (first.kind !== 'proposed') {
    if (first.kind === 'refusal') {
      sums.refusals += 1;
      sums.lastRefusal = first.message;
    } else blameEnd(first, blame);
    return;
  }
  const count = first.actions.length;
  sums.actions += count;
  sums.acting += count > 0 ? 1 : 0;
  sums.mostActions = Math.max(sums.mostActions, count);
  const most = mostActionsOf(first);
  if (count > most)
    return void blame('bounded', 'actions', `The strategy proposes ${count} actions; the cloud has use for ${most}.`);
  for (const { kind, what, action } of judgeProposal(first.judged, first.actions))
    blame('constraints', kind, what, action);
  const second = await ahead.run(strategy, world, otherOrder);
  sums.runs += 1;
  // An additional run of one thread reveals data that a strategy keeps between runs.
  const isFirstToAct = count > 0 && sums.acting === 1;
  if (isSame(first, second) && !isFirstToAct) return;
  const difference = differenceOf(first, second);
  const third = await plain.run(strategy, world, 0);
  sums.runs += 1;
  if (!isSame(first, third)) {
    const action = differenceOf(first, third) ?? difference;
    return void blame('deterministic', 'again', 'The same input gives another result in the next run.', action);
  }
  if (isSame(first, second)) return;
  const fourth = await plain.run(strategy, world, otherOrder);
  sums.runs += 1;
  if (isSame(first, fourth))
    blame('deterministic', 'clock', 'The result depends on the clock of the machine.', difference);
  else
    blame('deterministic', 'order', 'The result depends on the order in which the cloud lists its parts.', difference);
}

function blameEnd(
  { kind, message }: NoProposal,
  blame: (property: RawFinding['property'], kind: string, what: string) => void,
): void {
  // Numbers and ids differ from world to world.
  const sort = message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '#');
  const ended = { time: 'bounded', memory: 'bounded', contract: 'constraints' } as const;
  const property = kind === 'error' || kind === 'refusal' ? 'robust' : ended[kind];
  blame(property, sort, message.endsWith('.') ? message : `${message}.`);
}

/** Limit of useful actions for a cloud: three for each of its parts. */
function mostActionsOf({ judged: { snapshot, storage } }: Proposal): number {
  const volumes = storage?.volumes.length ?? 0;
  return 3 * (snapshot.hostInfo.length + snapshot.instanceInfo.length + volumes) + 10;
}

function isSame(first: Proposal, other: Proposal | NoProposal): boolean {
  if (other.kind !== 'proposed') return false;
  // The time limit ended a search, so its result depends on the machine.
  if (first.endedByClock || other.endedByClock) return true;
  return isDeepStrictEqual(first.actions, other.actions) && isDeepStrictEqual(first.indicators, other.indicators);
}

/** The first action that differs, of both results. */
function differenceOf(first: Proposal, other: Proposal | NoProposal): string | null {
  if (other.kind !== 'proposed') return `the other run ended with: ${other.message}`;
  const row = Math.max(first.actions.length, other.actions.length);
  for (let at = 0; at < row; at += 1) {
    const [one, two] = [first.actions[at], other.actions[at]];
    if (isDeepStrictEqual(one, two)) continue;
    const [before, after] = [one, two].map((action) => (action === undefined ? 'nothing' : describeAction(action)));
    return before === after ? `${before}, with another reason` : `${before}; then ${after}`;
  }
  return null;
}

/** Values of every type, of which a schema should refuse most. */
const anyValues = [null, true, -1.5e300, 'no such value', [{}], { 'no such field': 1 }];

/** Parameters whose schema accepts any value. */
export function laxParameters({ parameters: schema }: StrategyManifest, given: JsonObject): string[] {
  const properties = (schema.properties ?? {}) as JsonObject;
  const accepts = (name: string, value: JsonObject[string]) => {
    try {
      validateParameters(schema, { ...given, [name]: value });
      return true;
    } catch {
      return false;
    }
  };
  return Object.keys(properties).filter((name) => anyValues.every((value) => accepts(name, value)));
}
