/** Who makes a request, as far as policies, messages and the audit log need to know. */
export interface CallerIdentity {
  userId: string | null;
  userName: string | null;
  projectId: string | null;
  projectName: string | null;
  /** Of a domain-scoped token. */
  domainId?: string | null;
  /** `all` with a system-scoped token. */
  systemScope?: string;
  roles: readonly string[];
}

/** Caller of a public route. */
export const anonymousCaller: CallerIdentity = {
  userId: null,
  userName: null,
  projectId: null,
  projectName: null,
  roles: [],
};
