import type { FastifyRequest } from 'fastify';
import type { JsonObject, JsonValue } from '#libs/domain';
import { authorize, type Policy } from '../auth/policy.ts';
import { ApiFault, badRequest } from '../http/faults/fault.ts';
import { canonicalUuid } from '../http/faults/notation.ts';
import { entityKinds } from './entity-kinds.ts';

/** Selection that a client follows. Absent conditions match everything. */
export interface WatchFilter {
  /** Names of kinds, in the order of `entityKinds`. */
  kinds: string[];
  uuids?: string[];
  /** The audit, its plans and their actions. */
  audit?: string;
  /** The plan and its actions. */
  plan?: string;
  /** States of audits, plans, actions and tasks. Kinds without a state ignore this condition. */
  states?: string[];
  /** Project of the entities, or `global`. */
  scope?: string;
  /** The full state has only open audits and plans, and running actions. Changes are sent for all entities. */
  open?: true;
}

/** Scope of entities that belong to the service and no project. */
export const globalScope = 'global';

/** Names of the conditions, as query arguments and as properties of a body. */
export const filterNames = ['kinds', 'uuids', 'audit', 'plan', 'states', 'scope', 'open'] as const;

const maxUuids = 1000;

/**
 * Reads a filter from query arguments (lists separated by commas) or a JSON body (lists as arrays or text).
 * @throws ApiFault 400 naming the invalid condition, 403 when the caller may not read a requested kind, or none at all
 */
export function readWatchFilter(
  given: Readonly<Record<string, unknown>>,
  policy: Policy,
  request: FastifyRequest,
): WatchFilter {
  const filter: WatchFilter = { kinds: allowedKinds(listOf(given, 'kinds'), policy, request) };
  const uuids = listOf(given, 'uuids');
  if (uuids && uuids.length > maxUuids) throw badRequest(`uuids: at most ${maxUuids}`);
  if (uuids) filter.uuids = uuids.map(requireIdent);
  const audit = uuidOf(given, 'audit');
  if (audit) filter.audit = audit;
  const plan = uuidOf(given, 'plan');
  if (plan) filter.plan = plan;
  const states = listOf(given, 'states');
  if (states) filter.states = states.map((state) => state.toUpperCase());
  const scope = textOf(given, 'scope');
  if (scope) filter.scope = scope;
  if (flagOf(given, 'open')) filter.open = true;
  return filter;
}

/** The filter as stored with a watcher. */
export function storedFilter(filter: WatchFilter): JsonObject {
  return { ...filter } as JsonObject;
}

/** The stored filter of a watcher. */
export function filterOfStored(stored: JsonObject): WatchFilter {
  return stored as unknown as WatchFilter;
}

/** Whether the caller may still read every kind of the filter. */
export function mayRead(filter: WatchFilter, policy: Policy, caller: FastifyRequest['caller']): boolean {
  return entityKinds.every((kind) => !filter.kinds.includes(kind.name) || policy.allows(kind.rule, caller));
}

function allowedKinds(wanted: string[] | undefined, policy: Policy, request: FastifyRequest): string[] {
  if (!wanted) {
    const readable = entityKinds.filter(({ rule }) => policy.allows(rule, request.caller)).map(({ name }) => name);
    if (readable.length === 0) throw new ApiFault(403, "Policy doesn't allow any kind of entity to be read.");
    return readable;
  }
  const unknown = wanted.find((name) => !entityKinds.some((kind) => kind.name === name));
  if (unknown !== undefined) {
    const known = entityKinds.map(({ name }) => name).join(', ');
    throw badRequest(`kinds: unknown kind ${unknown.slice(0, 80)}; valid kinds: ${known}`);
  }
  const kinds = entityKinds.filter(({ name }) => wanted.includes(name));
  for (const { rule } of kinds) authorize(policy, request, rule);
  return kinds.map(({ name }) => name);
}

/** Uuids, and the ids of services. */
function requireIdent(text: string): string {
  const ident = /^\d{1,15}$/.test(text) ? text : canonicalUuid(text);
  if (ident === null) throw badRequest(`uuids: a uuid is expected, not ${text.slice(0, 80)}`);
  return ident;
}

/** Pattern of names of kinds, states and scopes. */
const word = /^[\w.:-]{1,255}$/;

function listOf(given: Readonly<Record<string, unknown>>, name: string): string[] | undefined {
  const value = given[name] as JsonValue | undefined;
  if (value === undefined || value === null) return undefined;
  const texts = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string')) {
    throw badRequest(`${name}: a list of texts is expected`);
  }
  const list = (texts as string[]).flatMap((text) => text.split(',')).map((text) => text.trim());
  const entries = list.filter((text) => text !== '');
  if (entries.length === 0) throw badRequest(`${name}: the list is empty`);
  if (!entries.every((text) => word.test(text))) throw badRequest(`${name}: letters, digits, _ . : and - are expected`);
  return [...new Set(entries)].sort();
}

function textOf(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = given[name];
  const text = Array.isArray(value) ? value.at(-1) : value;
  if (text === undefined || text === null) return undefined;
  if (typeof text !== 'string' || !word.test(text)) throw badRequest(`${name}: a name or uuid is expected`);
  return text;
}

function flagOf(given: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = given[name];
  const flag = Array.isArray(value) ? value.at(-1) : value;
  if (flag === undefined || flag === null || flag === 'false' || flag === false) return false;
  if (flag === 'true' || flag === true) return true;
  throw badRequest(`${name}: true or false is expected`);
}

function uuidOf(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const text = textOf(given, name);
  if (text === undefined) return undefined;
  const uuid = canonicalUuid(text);
  if (uuid === null) throw badRequest(`${name}: a uuid is expected, not ${text.slice(0, 80)}`);
  return uuid;
}
