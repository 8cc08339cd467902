/**
 * Time limit of one query to a data source, in milliseconds. It is a third of the time limit of a preview in the API
 * (30 s), so the next source can still serve the same request.
 */
export const sourceLimitMs = 10_000;
