/** Inputs of a body: the request that shows it. */
export interface ViewContext {
  /** Base of object links, without mount prefix. */
  host: string;
  /** Minor version of the request. */
  minor: number;
  showDeleted: boolean;
}

/** `list` has fewer fields than `full`, which detail and single responses show. */
export type Extent = 'list' | 'full';
