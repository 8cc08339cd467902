import type { RuleText } from '#libs/cluster-model';
import type { JsonObject } from '#libs/domain';
import type { PastDeeds } from '#libs/plugin-kit';
import type { CrookedWorld } from './crooked-world.ts';
import { createDraw, type Draw } from './draw.ts';

/** What an audit of a world has to mind beside the cloud. */
export interface Circumstances {
  scope: JsonObject[];
  /** Hosts that the scope leaves. */
  hosts: Set<string>;
  /** Servers that the scope or a rule leaves alone. */
  excluded: Set<string>;
  /** Servers whose migration failed, or that moved, lately; an order of the operator moves them all the same. */
  heldBack: Set<string>;
  failedMigrations: string[];
  /** What earlier plans did. */
  past: PastDeeds;
  recentlyMoved: string[];
  rules: RuleText[];
  /** Servers whose destinations a strict rule limits, with the hosts that it allows. */
  onlyOn: Map<string, Set<string>>;
}

function ruleOf(name: string, kind: RuleText['kind'], servers: string, hosts: string | null): RuleText {
  return {
    ...{ name, kind, isStrict: true, maxPerHost: null, instances: { names: [servers] } },
    hosts: hosts === null ? null : { names: [hosts] },
  } as RuleText;
}

interface Scoped {
  scope: JsonObject[];
  hosts: Set<string>;
  excluded: Set<string>;
}

/** One zone, or all but some servers, or everything. */
function drawScope({ services, servers }: CrookedWorld, draw: Draw): Scoped {
  const all = new Set(services.map(({ host }) => host));
  if (draw.chance(0.2)) {
    const name = draw.pick(['az1', 'az2']);
    const hosts = new Set(services.filter(({ zone }) => zone === name).map(({ host }) => host));
    return { scope: [{ compute: [{ availability_zones: [{ name }] }] }], hosts, excluded: new Set() };
  }
  const uuids = draw.chance(0.3) ? servers.filter(() => draw.chance(0.1)).map(({ uuid }) => uuid) : [];
  const exclude = [{ instances: uuids.map((uuid) => ({ uuid })) }];
  return { scope: uuids.length > 0 ? [{ compute: [{ exclude }] }] : [], hosts: all, excluded: new Set(uuids) };
}

/** Strict rules that leave some servers alone, and keep some to some hosts. */
function drawRules({ services, servers }: CrookedWorld, draw: Draw): Pick<Circumstances, 'rules' | 'onlyOn'> & Alone {
  const [hasAlone, hasLow] = [draw.chance(0.25), draw.chance(0.25)];
  const named = (pattern: RegExp) => servers.filter(({ name }) => pattern.test(name)).map(({ uuid }) => uuid);
  const low = new Set(services.map(({ host }) => host).filter((host) => host.startsWith('compute-0')));
  return {
    rules: [
      ...(hasAlone ? [ruleOf('alone', 'leave_alone', 'vm-1?', null)] : []),
      ...(hasLow ? [ruleOf('low', 'prefer_hosts', 'vm-2*', 'compute-0*')] : []),
    ],
    alone: hasAlone ? named(/^vm-1.$/) : [],
    onlyOn: new Map(hasLow ? named(/^vm-2/).map((uuid) => [uuid, low]) : []),
  };
}

interface Alone {
  alone: string[];
}

/** Draws scope, exclusions, rules and what failed or moved lately; most worlds have few of them. */
export function circumstancesOf(world: CrookedWorld): Circumstances {
  const draw = createDraw(world.seed ^ 0xc1c);
  const { scope, hosts, excluded } = drawScope(world, draw);
  const some = (share: number) => world.servers.filter(() => draw.chance(share)).map(({ uuid }) => uuid);
  const failedMigrations = draw.chance(0.3) ? some(0.1) : [];
  const recentlyMoved = draw.chance(0.3) ? some(0.1) : [];
  const { rules, alone, onlyOn } = drawRules(world, draw);
  const names = world.services.map(({ host }) => host);
  const departures = Object.fromEntries(some(0.2).map((uuid) => [uuid, draw.pick(names)]));
  const past = { departures, disabled: names.filter(() => draw.chance(0.1)), failures: 0, open: [] };
  return {
    ...{ scope, hosts, failedMigrations, past, recentlyMoved, rules, onlyOn },
    excluded: new Set([...excluded, ...alone]),
    heldBack: new Set([...failedMigrations, ...recentlyMoved]),
  };
}
