/** Who makes a request, as far as policies and messages need to know. */
export interface CallerIdentity {
  userId: string | null;
  projectId: string | null;
  roles: readonly string[];
}

/** Caller of a public route. */
export const anonymousCaller: CallerIdentity = { userId: null, projectId: null, roles: [] };
