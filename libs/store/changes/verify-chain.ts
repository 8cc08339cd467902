import type { Session } from '../session/session.ts';

/** The place of an entry in the chain: its number from 1, and its hash in hexadecimal notation. */
export interface ChainEnd {
  number: number;
  seal: string;
}

/** A position of the chain where the audit log was changed later. */
export interface ChainFault {
  number: number;
  /** Of the entry. Null when it is missing. */
  uuid: string | null;
  /**
   * `changed`: its content or the previous hash differs. `replaced`: its hash differs from that of an earlier check.
   */
  kind: 'changed' | 'missing' | 'replaced';
}

/** The comparison of the audit log with its chain. */
export interface ChainReport {
  /** Number of compared entries. */
  checked: number;
  /** Number of entries that are not in the chain yet. */
  unsealed: number;
  /** The oldest number that has not expired. */
  first: number;
  /** The newest entry of the chain, which a later check can use. Null for an empty chain. */
  last: ChainEnd | null;
  /** The first 100 faults. */
  faults: ChainFault[];
}

interface Chain {
  first: number;
  sealBefore: string;
  last: number;
  lastSeal: string;
}

interface Checked extends ChainEnd {
  uuid: string;
  isChanged: boolean;
}

const pageSize = 5_000;
const maxFaults = 100;

/** Compares every entry of the chain with its hash, in pages. Entries that expire during the check are no faults. */
export async function verifyChain(session: Session, known?: ChainEnd): Promise<ChainReport> {
  const chain = await readChain(session);
  const ends = new Map([[chain.last, chain.lastSeal], ...(known ? [[known.number, known.seal] as const] : [])]);
  const faults: ChainFault[] = [];
  let [at, seal, checked] = [chain.first - 1, chain.sealBefore, 0];
  for (let isDone = false; !isDone; ) {
    const page = await readPage(session, at, seal);
    for (const entry of page) {
      faults.push(...missingBetween(at, entry.number), ...faultsOf(entry, ends));
      [at, seal] = [entry.number, entry.seal];
    }
    checked += page.length;
    isDone = page.length < pageSize;
  }
  faults.push(...missingBetween(at, Math.max(...ends.keys()) + 1));
  const { first } = await readChain(session);
  return {
    checked,
    unsealed: await countUnsealed(session),
    first,
    last: at < first ? null : { number: at, seal },
    faults: faults.filter(({ number, kind }) => kind !== 'missing' || number >= first).slice(0, maxFaults),
  };
}

function missingBetween(after: number, before: number): ChainFault[] {
  const count = Math.min(before - after - 1, maxFaults);
  return Array.from({ length: Math.max(0, count) }, (_, index) => ({
    number: after + 1 + index,
    uuid: null,
    kind: 'missing',
  }));
}

function faultsOf({ number, uuid, seal, isChanged }: Checked, ends: ReadonlyMap<number, string>): ChainFault[] {
  if (isChanged) return [{ number, uuid, kind: 'changed' }];
  return (ends.get(number) ?? seal) === seal ? [] : [{ number, uuid, kind: 'replaced' }];
}

function readChain(session: Session): Promise<Chain> {
  return session.read(async (manager) => {
    const [chain] = await manager.query<Chain[]>(
      `SELECT first_number AS first, encode(seal_before, 'hex') AS "sealBefore", last_number AS last,
         encode(last_seal, 'hex') AS "lastSeal" FROM audit_log_chain`,
    );
    if (!chain) throw new Error('audit_log_chain is empty');
    return { ...chain, first: Number(chain.first), last: Number(chain.last) };
  });
}

function readPage(session: Session, after: number, sealBefore: string): Promise<Checked[]> {
  return session.read(async (manager) => {
    const rows = await manager.query<Checked[]>(
      `SELECT (entry).seal_number AS number, (entry).uuid AS uuid, encode((entry).seal, 'hex') AS seal,
         (entry).seal IS DISTINCT FROM
           sha256(lag((entry).seal, 1, decode($2, 'hex')) OVER (ORDER BY (entry).seal_number)
             || audit_log_content(entry)) AS "isChanged"
       FROM (SELECT log AS entry FROM audit_log AS log WHERE seal_number > $1 ORDER BY seal_number LIMIT $3) AS page
       ORDER BY 1`,
      [after, sealBefore, pageSize],
    );
    return rows.map((row) => ({ ...row, number: Number(row.number) }));
  });
}

function countUnsealed(session: Session): Promise<number> {
  return session.read(async (manager) => {
    const [row] = await manager.query<{ count: number }[]>(
      'SELECT count(*)::integer AS count FROM audit_log WHERE seal IS NULL',
    );
    return row?.count ?? 0;
  });
}
