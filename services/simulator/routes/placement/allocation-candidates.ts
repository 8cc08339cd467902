import { type AllocationLedger, resourceClasses } from '../../cloud/allocation-ledger.ts';
import type { SimulatedHost } from '../../cloud/entities.ts';
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
}

const parameter = /^(resources|required|in_tree|member_of)([a-zA-Z0-9_-]{0,64})$/;
const others = new Set(['limit', 'group_policy', 'root_required', 'same_subtree']);

function parseResources(text: string, parameterName: string): [ResourceClass, number][] {
  return text.split(',').map((part) => {
    const [, name, amount] = /^([A-Z0-9_]+):(\d+)$/.exec(part) ?? [];
    if (name === undefined || Number(amount) < 1) {
      const form = `?${parameterName}=VCPU:2,MEMORY_MB:1024`;
      throw new SimulatedApiError(
        400,
        `Badly formed resources parameter. Expected resources query string parameter in form: ${form}. Got: ${text}.`,
      );
    }
    const known = resourceClasses.find((candidate) => candidate === name);
    if (known === undefined && !name.startsWith('CUSTOM_'))
      throw new SimulatedApiError(
        400,
        `Invalid resource class in resources parameter: No such resource class ${name}.`,
      );
    return [name as ResourceClass, Number(amount)];
  });
}

function readTraits(group: Group, text: string): void {
  for (const trait of text.split(',')) {
    if (trait.startsWith('!')) group.forbidden.push(trait.slice(1));
    else group.required.push(trait);
  }
}

/** The groups of a query, the one without a suffix first. */
function parseGroups(query: URLSearchParams): Group[] {
  const groups = new Map<string, Group>();
  for (const [key, value] of query) {
    const [, kind, suffix = ''] = parameter.exec(key) ?? [];
    if (kind === undefined && others.has(key)) continue;
    if (kind === undefined) {
      const rule = `Additional properties are not allowed ('${key}' was unexpected)`;
      throw new SimulatedApiError(400, `Invalid query string parameters: ${rule}`);
    }
    const group = groups.get(suffix) ?? { suffix, resources: [], required: [], forbidden: [], inTree: null };
    groups.set(suffix, group);
    if (kind === 'resources') group.resources.push(...parseResources(value, key));
    if (kind === 'in_tree') group.inTree = value;
    if (kind === 'required') readTraits(group, value);
  }
  const all = [...groups.values()].sort((a, b) => (a.suffix < b.suffix ? -1 : 1));
  requireResources(all, query);
  return all;
}

function requireResources(groups: readonly Group[], query: URLSearchParams): void {
  const numbered = groups.filter(({ suffix }) => suffix !== '');
  const isEmpty = ({ resources }: Group) => resources.length === 0;
  if (groups.every(isEmpty) || numbered.some(isEmpty))
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
    const { capacity, used, largest } = roomOf(ledger, host, name);
    return amount <= largest && used + amount <= capacity;
  });
}

/** A group without a suffix may use the whole tree. Each other group takes all from one provider. */
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

/** `GET /allocation_candidates`: the hosts with room for all groups of the query, with the form of version 1.34. */
export function allocationCandidates(
  hosts: Iterable<SimulatedHost>,
  ledger: AllocationLedger,
  query: URLSearchParams,
): { allocation_requests: object[]; provider_summaries: Record<string, object> } {
  const groups = parseGroups(query);
  const found = [...hosts].flatMap((host) => {
    const chosen = groups.map((group) => providersFor(group, host) ?? []);
    return chosen.every(({ length }) => length > 0) && fits(ledger, host, groups) ? [{ host, chosen }] : [];
  });
  const listed = found.slice(0, Number(query.get('limit') ?? found.length));
  const summaries = listed.flatMap(({ host }) =>
    providersOf(host).map((provider) => [provider.uuid, summaryOf(provider, ledger)]),
  );
  return {
    allocation_requests: listed.map(({ chosen }) => ({
      allocations: allocationsOf(groups, chosen),
      mappings: Object.fromEntries(
        groups.map(({ suffix }, index) => [suffix, (chosen[index] ?? []).map(({ uuid }) => uuid)]),
      ),
    })),
    provider_summaries: Object.fromEntries(summaries),
  };
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
