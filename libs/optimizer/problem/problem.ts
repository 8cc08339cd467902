/**
 * A placement problem in flat arrays: `items` (instances, processes) on `hosts`. Rows are host-major:
 * `load[host * columns + k]`.
 *
 * A host costs `Σ prices[k] · max(0, X[k])`, where `X = base + Σ use` over its items. `X` above `limit` is not
 * allowed. So one column represents a load above a limit, its room, or both. A column with price 0 is room only. All
 * numbers must be finite, except limits.
 *
 * The arrays are in shared memory, so a problem is passed to a thread without a copy. They are read-only.
 */
export interface Problem {
  readonly hosts: number;
  readonly items: number;
  readonly columns: number;
  /** Number of first columns that stay occupied at the home of an item that left it (transient resources). */
  readonly transientColumns: number;
  /** Cost of a unit above 0, by column. Not negative. */
  readonly prices: Float64Array;
  /** Use of each item, items × columns. */
  readonly use: Float64Array;
  /** An empty host, hosts × columns. */
  readonly base: Float64Array;
  /** Greatest sum that a host may reach, hosts × columns. */
  readonly limit: Float64Array;
  /** Initial host of each item. A return to it never has a migration cost. */
  readonly home: Int32Array;
  /** 1: the item never moves. */
  readonly fixed: Uint8Array;
  /** Cost of an item off its home, by item. */
  readonly moveCost: Float64Array;
  /** Class of each host for `distance`. */
  readonly classOf: Int32Array;
  readonly classes: number;
  /** Cost of a move between classes (classes × classes), by home and current host. */
  readonly distance: Float64Array;
  readonly groups: GroupRules;
  /** Costs of hosts that are not hinges. Null: none. */
  readonly terms: HostTerms | null;
}

/** Costs of hosts that are not hinges. None is below 0. */
export interface HostTerms {
  /** Cost of each missing place for a flavor, compared with the empty host, by flavor. */
  readonly slotPrices: Float64Array;
  /** Needs of one place, flavors × columns; 0: nothing. Only columns with finite limits. */
  readonly slotNeeds: Float64Array;
  /** Cost of a host with any item, by host. */
  readonly inUsePrices: Float64Array;
  /** Cost of the squared share of a column, by column. 0 when limits are infinite. */
  readonly squarePrices: Float64Array;
}

/** Rules and costs of groups of items (server groups, services). An item is in one group or in none. */
export interface GroupRules {
  readonly count: number;
  /** Group of each item, -1: none. */
  readonly of: Int32Array;
  /** Members of group g: `members[memberStart[g]]` up to `members[memberStart[g + 1]]`. */
  readonly memberStart: Int32Array;
  readonly members: Int32Array;
  /** 1: no two members on one host. */
  readonly apart: Uint8Array;
  /** Location of each host. The members of a group must use at least `spread[group]` locations. */
  readonly locationOf: Int32Array;
  readonly locations: number;
  readonly spread: Int32Array;
  /**
   * Domain of each host. If a group has a member in a domain, each group that it needs must also have a member there.
   */
  readonly domainOf: Int32Array;
  readonly domains: number;
  readonly needsStart: Int32Array;
  readonly needs: Int32Array;
  readonly neededByStart: Int32Array;
  readonly neededBy: Int32Array;
  /** Cost of each off-home member of the group with the most off-home members. */
  readonly awayCost: number;
}

/** Number of first columns with a limit on any host, including transient columns. Later columns have no limits. */
export function limitedColumnsOf({ columns, transientColumns, limit }: Problem): number {
  const last = limit.reduce(
    (most, amount, at) => (amount < Number.POSITIVE_INFINITY ? Math.max(most, at % columns) : most),
    -1,
  );
  return Math.max(transientColumns, last + 1);
}
