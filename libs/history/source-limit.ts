/**
 * How long one query of a data source may take, in milliseconds. It is a third of the time for which a client of the
 * API waits for a preview (30 s), so that the next source can still serve the same request.
 */
export const sourceLimitMs = 10_000;
