import { postgresHostOf, postgresUrlsOf } from './postgres-url.ts';
import { queryServer } from './primary-finder.ts';

/** State of a server. */
interface Result {
  url: string;
  /** How far it has got, in bytes of the log. */
  replayed: bigint;
}

const question = `
  SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text AS replayed WHERE pg_is_in_recovery()`;

/**
 * The URL of the most advanced standby among the servers that respond.
 * @param limitMs time limit of the query to one server.
 * @throws an error that names each server when there is none
 */
export async function findStandby(url: string, limitMs: number): Promise<string> {
  const urls = postgresUrlsOf(url) ?? [url];
  const requested = await Promise.allSettled(urls.map((each) => request(each, limitMs)));
  const responses = requested.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first, ...others] = responses;
  if (!first) {
    const reasons = requested.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    const text = reasons.map((reason, index) => `${postgresHostOf(urls[index] ?? url)} ${reason.message}`).join('; ');
    throw Object.assign(new Error(`no server is a standby: ${text}`, { cause: reasons[0] }), { code: '57P03' });
  }
  return others.reduce((best, each) => (each.replayed > best.replayed ? each : best), first).url;
}

async function request(url: string, limitMs: number): Promise<Result> {
  const response = await queryServer<{ replayed: string | null }>(url, question, { as: 'vigil-standby', limitMs });
  if (!response?.replayed) throw new Error('it is not a standby');
  return { url, replayed: BigInt(response.replayed) };
}
