import { type AllocationLedger, isWithinUnits, resourceClasses } from '../../cloud/allocation-ledger.ts';
import type { CloudState, SimulatedHost } from '../../cloud/entities.ts';
import { SimulatedApiError } from '../../errors.ts';
import { type Provider, providersOf, type ResourceClass, roomOf } from './providers.ts';

/** A group of a request: all of its resources come from one tree of providers. */
interface Group {
  /** Empty for the group without a suffix. */
  suffix: string;
  resources: [ResourceClass, number][];
  required: string[];
  forbidden: string[];
  inTree: string | null;
  /** Aggregates. The host must be in one of them. */
  memberOf: string[] | null;
}

/** A query, and the minor part of its microversion. */
interface Request {
  query: URLSearchParams;
  minor: number;
}

export const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Kinds of parameters of a group, with the microversion that added them. */
const groupParameters = { in_tree: 31, member_of: 21, required: 17, resources: 10 } as const;

const others = new Set(['limit', 'group_policy', 'root_required', 'same_subtree']);

function invalid(reason: string): SimulatedApiError {
  return new SimulatedApiError(400, `Invalid query string parameters: ${reason}`);
}

/** Suffixes are numbers up to 1.32. */
function patternsOf(minor: number): string[] {
  const suffix = minor >= 33 ? '([a-zA-Z0-9_-]{1,64})?' : '([1-9][0-9]*)?';
  return Object.entries(groupParameters).flatMap(([name, since]) => (minor >= since ? [`^${name}${suffix}$`] : []));
}

function parseResources(text: string, parameterName: string): [ResourceClass, number][] {
  return text.split(',').map((part) => {
    const [, name, amount] = /^([A-Z0-9_]+):(\d+)$/.exec(part) ?? [];
    if (name !== undefined && Number(amount) < 1) {
      throw new SimulatedApiError(400, `Requested resource ${name} requires amount >= 1. Got: ${amount}.`);
    }
    if (name === undefined) {
      const form = `?${parameterName}=VCPU:2,MEMORY_MB:1024`;
      throw new SimulatedApiError(
        400,
        `Badly formed resources parameter. Expected resources query string parameter in form: ${form}. Got: ${text}.`,
      );
    }
    const known = resourceClasses.find((candidate) => candidate === name);
    if (known === undefined)
      throw new SimulatedApiError(
        400,
        `Invalid resource class in resources parameter: No such resource class ${name}.`,
      );
    return [known, Number(amount)];
  });
}

function readTraits(group: Group, text: string): void {
  for (const trait of text.split(',')) {
    if (trait.startsWith('!')) group.forbidden.push(trait.slice(1));
    else group.required.push(trait);
  }
}

/** The groups of a query, the one without a suffix first. */
function parseGroups({ query, minor }: Request): Group[] {
  const groups = new Map<string, Group>();
  refuseUnknown(query, minor);
  for (const [key, value] of query) {
    if (others.has(key)) continue;
    const kind = Object.keys(groupParameters).find((name) => key.startsWith(name)) ?? '';
    const suffix = key.slice(kind.length);
    const group = groups.get(suffix) ?? {
      suffix,
      resources: [],
      required: [],
      forbidden: [],
      inTree: null,
      memberOf: null,
    };
    groups.set(suffix, group);
    if (kind === 'resources') group.resources.push(...parseResources(value, key));
    if (kind === 'in_tree') group.inTree = treeOf(value);
    if (kind === 'member_of') group.memberOf = aggregatesOf(value);
    if (kind === 'required') readTraits(group, value);
  }
  const all = [...groups.values()].sort((a, b) => (a.suffix < b.suffix ? -1 : 1));
  requireResources(all, query);
  return all;
}

function refuseUnknown(query: URLSearchParams, minor: number): void {
  const patterns = patternsOf(minor);
  const known = patterns.map((pattern) => new RegExp(pattern));
  const unknown = [...query.keys()].filter((key) => !others.has(key) && !known.some((pattern) => pattern.test(key)));
  if (unknown.length === 0) return;
  const names = unknown
    .sort()
    .map((name) => `'${name}'`)
    .join(', ');
  const verb = unknown.length === 1 ? 'does' : 'do';
  const list = patterns.map((pattern) => `'${pattern}'`).join(', ');
  throw invalid(`${names} ${verb} not match any of the regexes: ${list}`);
}

function treeOf(value: string): string {
  if (uuidForm.test(value)) return value;
  throw invalid(`Expected 'in_tree' parameter to be a format of uuid. Got: ${value}`);
}

function aggregatesOf(value: string): string[] {
  const uuids = value.replace(/^in:/, '').split(',');
  if (uuids.every((uuid) => uuidForm.test(uuid))) return uuids;
  throw invalid(`Expected 'member_of' parameter to contain valid UUID(s). Got: ${value}`);
}

/** Refuses invalid limits and policies, unknown subtrees, and unavailable traits. */
function refuseInvalid(query: URLSearchParams, groups: readonly Group[], traits: ReadonlySet<string>): void {
  const limit = query.get('limit');
  if (limit !== null && !/^[1-9][0-9]*$/.test(limit)) throw invalid(`'${limit}' does not match '^[1-9][0-9]*$'`);
  const policy = query.get('group_policy');
  if (policy !== null && !['none', 'isolate'].includes(policy)) {
    throw invalid(`'${policy}' is not one of ['none', 'isolate']`);
  }
  const roots = (query.get('root_required') ?? '').split(',').filter((name) => name !== '');
  const named = [...groups.flatMap(({ required, forbidden }) => [...required, ...forbidden]), ...roots];
  const unknown = named.map((name) => name.replace(/^!/, '')).filter((name) => !traits.has(name));
  if (unknown.length > 0) throw new SimulatedApiError(400, `No such trait(s): ${unknown.sort().join(', ')}.`);
  const suffixes = groups.map(({ suffix }) => suffix);
  const lost = (query.get('same_subtree') ?? '').split(',').filter((name) => name !== '' && !suffixes.includes(name));
  if (lost.length === 0) return;
  const listed = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`;
  throw new SimulatedApiError(
    400,
    `Real suffixes should be specified in \`same_subtree\`: ${listed(lost)} not found in ${listed(suffixes)}.`,
    'placement.query.bad_value',
  );
}

function requireResources(groups: readonly Group[], query: URLSearchParams): void {
  const numbered = groups.filter(({ suffix }) => suffix !== '');
  const isEmpty = ({ resources }: Group) => resources.length === 0;
  if (groups.every(isEmpty)) {
    const text = 'There must be at least one resources or resources[$S] parameter.';
    throw new SimulatedApiError(400, text, 'placement.query.missing_value');
  }
  if (numbered.some(isEmpty))
    throw new SimulatedApiError(400, 'All traits parameters must be associated with resources.');
  if (numbered.length > 1 && !query.has('group_policy')) {
    const rule = 'The "group_policy" parameter is required when specifying more than one "resources{N}" parameter.';
    throw new SimulatedApiError(400, rule);
  }
}

function fits(ledger: AllocationLedger, host: SimulatedHost, groups: readonly Group[]): boolean {
  const wanted = new Map<ResourceClass, number>();
  for (const [name, amount] of groups.flatMap(({ resources }) => resources))
    wanted.set(name, (wanted.get(name) ?? 0) + amount);
  const classes = new Set(providersOf(host).flatMap((provider) => provider.classes));
  return [...wanted].every(([name, amount]) => {
    if (!classes.has(name)) return false;
    const { capacity, used } = roomOf(ledger, host, name);
    return isWithinUnits(host.inventory[name], amount) && used + amount <= capacity;
  });
}

/** A group without a suffix may use the whole tree. Each other group uses one provider. */
function providersFor(
  { suffix, resources, required, forbidden, inTree }: Group,
  host: SimulatedHost,
): Provider[] | null {
  if (inTree !== null && inTree !== host.uuid) return null;
  const tree = providersOf(host);
  const holding = tree.filter(({ classes }) => resources.some(([name]) => classes.includes(name)));
  const traits = new Set((suffix === '' ? tree : holding).flatMap((provider) => provider.traits));
  if (suffix !== '' && holding.length !== 1) return null;
  return required.every((trait) => traits.has(trait)) && !forbidden.some((trait) => traits.has(trait)) ? holding : null;
}

/** `GET /allocation_candidates`: the hosts with room for all groups of the query, with mappings from 1.34 on. */
export function allocationCandidates(
  { hosts, aggregates }: Pick<CloudState, 'hosts' | 'aggregates'>,
  ledger: AllocationLedger,
  request: Request,
): { allocation_requests: object[]; provider_summaries: Record<string, object> } {
  const { query, minor } = request;
  const groups = parseGroups(request);
  const traits = new Set(
    [...hosts.values()].flatMap((host) => providersOf(host).flatMap((provider) => provider.traits)),
  );
  refuseInvalid(query, groups, traits);
  const isMember = ({ memberOf }: Group, host: SimulatedHost) =>
    memberOf === null ||
    [...aggregates.values()].some(({ uuid, hosts: members }) => memberOf.includes(uuid) && members.has(host.name));
  const found = [...hosts.values()].flatMap((host) => {
    const chosen = groups.map((group) => (isMember(group, host) ? (providersFor(group, host) ?? []) : []));
    return chosen.every(({ length }) => length > 0) && fits(ledger, host, groups) ? [{ host, chosen }] : [];
  });
  const listed = found.slice(0, Number(query.get('limit') ?? found.length));
  const summaries = listed.flatMap(({ host }) =>
    providersOf(host).map((provider) => [provider.uuid, summaryOf(provider, ledger)]),
  );
  return {
    allocation_requests: listed.map(({ chosen }) => ({
      allocations: allocationsOf(groups, chosen),
      ...(minor >= 34 ? { mappings: mappingsOf(groups, chosen) } : {}),
    })),
    provider_summaries: Object.fromEntries(summaries),
  };
}

function mappingsOf(groups: readonly Group[], chosen: readonly Provider[][]): Record<string, string[]> {
  return Object.fromEntries(groups.map(({ suffix }, index) => [suffix, (chosen[index] ?? []).map(({ uuid }) => uuid)]));
}

/** Amounts of all groups by provider. */
function allocationsOf(
  groups: readonly Group[],
  chosen: readonly Provider[][],
): Record<string, { resources: Record<string, number> }> {
  const allocations: Record<string, { resources: Record<string, number> }> = {};
  for (const [index, { resources }] of groups.entries()) {
    for (const [name, amount] of resources) {
      const uuid = chosen[index]?.find(({ classes }) => classes.includes(name))?.uuid ?? '';
      const held = allocations[uuid]?.resources ?? {};
      allocations[uuid] = { resources: { ...held, [name]: (held[name] ?? 0) + amount } };
    }
  }
  return allocations;
}

function summaryOf({ host, classes, traits, parent }: Provider, ledger: AllocationLedger): object {
  const resources = classes.map((name) => {
    const { capacity, used } = roomOf(ledger, host, name);
    return [name, { capacity, used }];
  });
  return {
    resources: Object.fromEntries(resources),
    traits,
    parent_provider_uuid: parent,
    root_provider_uuid: host.uuid,
  };
}
