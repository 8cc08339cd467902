import type { RuleText } from '#libs/cluster-model';
import type { Server } from '#libs/openstack';
import type { CrookedWorld, Draw } from '#libs/random-worlds';

/**
 * Rules of the operator as sets of uuids and host names. The engine reads their text. Shares no code with the engine's
 * rules.
 */
export interface OperatorRules {
  texts: RuleText[];
  /** Servers that must not move. */
  alone: Set<string>;
  /** Hosts that a server may use, if a strict rule limits them. */
  onlyOn: Map<string, Set<string>>;
  /** Groups of servers with the most members on one host. */
  apart: { members: Set<string>; most: number }[];
  /** Servers that must not be separated further. */
  together: Set<string>[];
}

/** No rules. */
export const noRules: OperatorRules = { texts: [], alone: new Set(), onlyOn: new Map(), apart: [], together: [] };

/** A kind of rule with its subject: the text for the engine, and an independent test. */
interface Pattern {
  kind: RuleText['kind'];
  instances: RuleText['instances'];
  isAbout(server: Server): boolean;
  hosts?: RuleText['hosts'];
  isNamed?(service: CrookedWorld['services'][number]): boolean;
}

const named = (pattern: string, test: RegExp): Pick<Pattern, 'instances' | 'isAbout'> => ({
  instances: { names: [pattern] },
  isAbout: ({ name }) => test.test(name),
});

const patterns: Pattern[] = [
  { kind: 'leave_alone', ...named('vm-1?', /^vm-1.$/) },
  {
    kind: 'prefer_hosts',
    ...named('vm-2*', /^vm-2/),
    hosts: { names: ['compute-0*'] },
    isNamed: ({ host }) => host.startsWith('compute-0'),
  },
  {
    kind: 'avoid_hosts',
    instances: { flavors: ['m4-*', 'm8-*'] },
    isAbout: ({ flavor }) => flavor.vcpus >= 4,
    hosts: { zones: ['az3'] },
    isNamed: ({ zone }) => zone === 'az3',
  },
  { kind: 'keep_apart', ...named('vm-*4', /^vm-.*4$/) },
  {
    kind: 'keep_apart',
    instances: { projects: ['project-b'], metadata: { optimize: '*' } },
    isAbout: ({ projectId, metadata }) => projectId === 'project-b' && metadata.optimize !== undefined,
  },
  {
    kind: 'keep_together',
    instances: { names: ['vm-*5', 'vm-*6', 'vm-*7'] },
    isAbout: ({ name }) => /^vm-.*[567]$/.test(name),
  },
];

function addStrict(
  rules: OperatorRules,
  { kind, isNamed }: Pattern,
  most: number,
  about: Set<string>,
  world: CrookedWorld,
) {
  if (kind === 'keep_apart') rules.apart.push({ members: about, most });
  if (kind === 'keep_together') rules.together.push(about);
  if (isNamed === undefined) return;
  const allowed = world.services.filter((service) => isNamed(service) === (kind === 'prefer_hosts'));
  for (const uuid of about) {
    const known = rules.onlyOn.get(uuid);
    const hosts = allowed.map(({ host }) => host).filter((host) => known?.has(host) ?? true);
    rules.onlyOn.set(uuid, new Set(hosts));
  }
}

/** Draws rules of all kinds. Most are strict. */
export function drawRules(world: CrookedWorld, draw: Draw): OperatorRules {
  const rules: OperatorRules = { texts: [], alone: new Set(), onlyOn: new Map(), apart: [], together: [] };
  patterns.forEach((pattern, row) => {
    const [hasRule, isStrict, most] = [draw.chance(0.2), draw.chance(0.75), draw.whole(1, 2)];
    if (!hasRule) return;
    const { kind, instances, isAbout, hosts = null } = pattern;
    const maxPerHost = kind === 'keep_apart' ? most : null;
    rules.texts.push({ name: `${kind}-${row}`, kind, instances, hosts, isStrict, maxPerHost });
    const about = new Set(world.servers.filter(isAbout).map(({ uuid }) => uuid));
    if (kind === 'leave_alone') rules.alone = about;
    else if (isStrict) addStrict(rules, pattern, most, about, world);
  });
  return rules;
}

/** Checks the rules while servers move. */
export interface OperatorJudge {
  /** Strict rules that the move breaks or makes worse now, as texts. */
  broken(server: string, to: string): string[];
  /** Records the start of a move. Call the returned function at its end. */
  begin(server: string, to: string): () => void;
}

/** Judges moves by the rules. @param hostOf returns the present host of a server */
export function createOperatorJudge(rules: OperatorRules, hostOf: (server: string) => string | null): OperatorJudge {
  const going = new Map<string, string>();
  const on = (members: Iterable<string>, server: string, host: string | null) =>
    [...members].filter((uuid) => uuid !== server && hostOf(uuid) === host).length;
  const onTheWay = (members: Iterable<string>, host: string) =>
    [...members].filter((uuid) => going.get(uuid) === host).length;
  return {
    broken(server, to) {
      const isMember = (members: ReadonlySet<string>) => members.has(server);
      const apart = rules.apart.filter(
        ({ members, most }) => isMember(members) && on(members, server, to) + onTheWay(members, to) >= most,
      );
      const together = rules.together.filter(
        (members) => isMember(members) && on(members, server, to) < on(members, server, hostOf(server)),
      );
      return [
        ...(rules.alone.has(server) ? ['a rule leaves it alone'] : []),
        ...(rules.onlyOn.get(server)?.has(to) === false ? ['a rule keeps it from this host'] : []),
        ...apart.map(({ most }) => `a rule allows ${most} of its kind on a host`),
        ...together.map(() => 'a rule keeps it with those that are where it is'),
      ];
    },
    begin(server, to) {
      going.set(server, to);
      return () => going.delete(server);
    },
  };
}
