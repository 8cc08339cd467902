import type { PlannedAction } from '#libs/plugin-kit';
import type { Draw, Way } from '#libs/random-worlds';
import { type CrookedWorld, copyWorld, createNovaJudge, type NovaJudge } from '#libs/random-worlds';
import { playGraph } from '../../tests/play-graph.ts';
import { createCinderJudge } from './cinder-judge.ts';
import { createOperatorJudge, noRules, type OperatorRules } from './operator-judge.ts';

/** Result of a plan in one of the orders that its graph allows. */
export interface Played {
  /** Refusals that Nova or Cinder would have given, as texts. */
  refused: string[];
  /** Moves that broke a strict rule of the operator at their start, as texts. */
  broken: string[];
  /** Uuids of servers, in the order in which their moves started. */
  moved: string[];
  /** The world after the plan. */
  after: CrookedWorld;
  judge: NovaJudge;
  /** Hosts that the plan disabled to free them, or switched off. */
  freed: Set<string>;
}

/** Nova's choice is unpredictable: any host that it may choose. */
function destinationOf(judge: NovaJudge, action: PlannedAction, draw: Draw): string | undefined {
  const { resource_id: id, destination_node: named } = action.inputParameters;
  if (named !== undefined && named !== null) return String(named);
  const choices = judge.choices(String(id), wayOf(action));
  return choices.length === 0 ? undefined : draw.pick(choices);
}

function wayOf({ actionType, inputParameters }: PlannedAction): Way {
  return actionType === 'evacuate' ? 'evacuate' : (String(inputParameters.migration_type) as Way);
}

/**
 * Plays a plan on a copy of the world. Actions start and end in a random order that the graph allows, several at a time
 * as in the applier.
 */
export function playPlan(
  world: CrookedWorld,
  plan: readonly PlannedAction[],
  draw: Draw,
  rules: OperatorRules = noRules,
): Played {
  const after = copyWorld(world);
  const judge = createNovaJudge(after);
  const cinder = createCinderJudge(after);
  const operator = createOperatorJudge(rules, judge.hostOf);
  const played: Played = { refused: [], broken: [], moved: [], after, judge, freed: new Set() };
  const nothing = () => undefined;

  function textOf(action: PlannedAction, reasons: readonly string[]): string {
    const { resource_name: name, resource_id: id, source_node: from, destination_node: to } = action.inputParameters;
    const what = `${action.actionType} of ${String(name ?? id)} from ${String(from)} to ${String(to ?? 'anywhere')}`;
    return `${what}: ${reasons.join(', ')}`;
  }

  function refuse(action: PlannedAction, reasons: readonly string[]): () => void {
    played.refused.push(textOf(action, reasons));
    return nothing;
  }

  function move(action: PlannedAction): () => void {
    const server = String(action.inputParameters.resource_id);
    const [way, source] = [wayOf(action), action.inputParameters.source_node];
    if (judge.hostOf(server) !== source) return refuse(action, [`it is on ${judge.hostOf(server)}`]);
    const host = destinationOf(judge, action, draw);
    if (host === undefined) return refuse(action, ['no valid host']);
    const reasons = judge.refusals(server, way, host);
    if (reasons.length > 0) return refuse(action, reasons);
    const broken = operator.broken(server, host);
    if (broken.length > 0) played.broken.push(textOf(action, broken));
    played.moved.push(server);
    const started = judge.begin(server, way, host);
    const arrived = operator.begin(server, host);
    return () => {
      started.end();
      arrived();
    };
  }

  function moveVolume(action: PlannedAction): () => void {
    const { resource_id: id, destination_node: pool, destination_type: type } = action.inputParameters;
    const destination = type === undefined ? { pool: String(pool) } : { type: String(type) };
    const reasons = cinder.refusals(String(id), destination);
    return reasons.length > 0 ? refuse(action, reasons) : cinder.begin(String(id), destination).end;
  }

  function changeService({ inputParameters: input, freesHost }: PlannedAction): () => void {
    const host = String(input.resource_name);
    judge.setService(host, input.state === 'enabled' ? 'enabled' : 'disabled', String(input.disabled_reason ?? ''));
    if (freesHost !== undefined || input.disabled_reason === 'watcher_disabled') played.freed.add(host);
    return nothing;
  }

  function changePower(action: PlannedAction): () => void {
    if (action.inputParameters.state !== 'off') return nothing;
    const host = String(action.inputParameters.resource_name);
    const users = judge.usersOf(host);
    played.freed.add(host);
    return users.length > 0 ? refuse(action, [`${users.length} still use it, such as ${users[0]}`]) : nothing;
  }

  function begin(action: PlannedAction): () => void {
    switch (action.actionType) {
      case 'migrate':
      case 'evacuate':
        return move(action);
      case 'volume_migrate':
        return moveVolume(action);
      case 'change_nova_service_state':
        return changeService(action);
      case 'change_node_power_state':
        return changePower(action);
      case 'stop':
        judge.stop(String(action.inputParameters.resource_id));
        if (rules.alone.has(String(action.inputParameters.resource_id)))
          played.broken.push(textOf(action, ['a rule leaves it alone']));
    }
    return nothing;
  }

  const left = playGraph(plan, { start: begin, choose: (count) => draw.whole(0, count - 1) });
  if (left.length > 0) played.refused.push(`the graph has a circle: ${left.length} actions never start`);
  return played;
}
