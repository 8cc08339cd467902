import { messageOf } from '#libs/domain';

/** Answers a listing, or an empty list and a gap that names `what` when it fails. Rejects when the collection is aborted. */
export type OptionalListing = <Row>(what: string, listing: Promise<Row[]>) => Promise<Row[]>;

/** Listings that a picture can do without; what is missing is added to `gaps`. */
export function createOptionalListing(gaps: string[], signal?: AbortSignal): OptionalListing {
  return async (what, listing) => {
    try {
      return await listing;
    } catch (error) {
      signal?.throwIfAborted();
      gaps.push(`${what} could not be listed: ${messageOf(error)}`);
      return [];
    }
  };
}
