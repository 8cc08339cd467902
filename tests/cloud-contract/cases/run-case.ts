import type { ContractTarget } from '../contract-target.ts';
import type { CaseOutcome, ContractCase } from './contract-case.ts';
import { outline } from './outline.ts';
import type { Participants } from './participants.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Blanks at the end of a text, and the schema that the library of schemas prints after its reason. */
const schemaDump = /(?:\\n| )*(?:Failed validating (?:\\.|[^"\\])*)?"/g;
const ended = new Set(['completed', 'confirmed', 'finished', 'reverted', 'error', 'cancelled', 'done']);

/**
 * Sends the request of a case and returns its outcome. A server that has moved is brought back. Returns null when the
 * cloud lacks a participant of the case.
 */
export async function runCase(
  target: ContractTarget,
  { ids }: Participants,
  { moves, ...request }: ContractCase,
): Promise<CaseOutcome | null> {
  const text = JSON.stringify(request);
  const missing = [...text.matchAll(/\{(\w+)\}/g)].some(([, name]) => !ids.has(name ?? ''));
  if (missing) return null;
  const filled = text.replaceAll(/\{(\w+)\}/g, (_, name) => ids.get(name) ?? '');
  const server = moves === undefined ? null : (ids.get(moves) ?? null);
  const before = server === null ? [] : await recordIds(target, server);
  const response = await target.raw(JSON.parse(filled));
  const isRefused = response.status >= 300;
  const outcome: CaseOutcome = {
    status: response.status,
    body: isRefused ? generalised(response.body, ids) : outline(response.body),
  };
  if (server === null) return outcome;
  const effect = await effectOf(target, server, ids.get('host') ?? '', before);
  return { ...outcome, effect };
}

/** The body of a refusal with names in place of the identifiers of this cloud. */
function generalised(body: unknown, ids: ReadonlyMap<string, string>): unknown {
  let text = JSON.stringify(body);
  const longestFirst = [...ids].sort(([, a], [, b]) => b.length - a.length);
  for (const [name, id] of longestFirst) if (id.length > 3) text = text.replaceAll(id, `{${name}}`);
  return JSON.parse(text.replaceAll(uuid, '{uuid}').replaceAll(schemaDump, '"'));
}

async function recordIds(target: ContractTarget, server: string): Promise<number[]> {
  return (await target.cloud.compute.listMigrations({ serverUuid: server })).map(({ id }) => id);
}

async function effectOf(
  target: ContractTarget,
  server: string,
  from: string,
  before: readonly number[],
): Promise<NonNullable<CaseOutcome['effect']>> {
  const { compute } = target.cloud;
  const atRest = await target.until(`server ${server} at rest`, async () => {
    const found = await compute.getServer(server);
    const records = await compute.listMigrations({ serverUuid: server });
    const newest = records.find(({ id }) => !before.includes(id)) ?? null;
    const isOver = newest === null || ended.has(newest.status);
    return found !== null && found.taskState === null && isOver ? { found, record: newest?.status ?? null } : null;
  });
  const { found, record } = atRest;
  if (found.status === 'VERIFY_RESIZE') await compute.revertResize(server);
  else if (found.host !== from) await compute.liveMigrate(server, from);
  await target.until(`server ${server} back`, async () => {
    const back = await compute.getServer(server);
    return back?.host === from && back.status === 'ACTIVE' && back.taskState === null;
  });
  return { status: found.status, hasMoved: found.host !== from, record };
}
