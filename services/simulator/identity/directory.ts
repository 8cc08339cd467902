import type { CloudState, SimulatedProject } from '../cloud/entities.ts';
import { derivedHex } from '../identifiers.ts';

export interface SimulatedUser {
  id: string;
  name: string;
  /** Null for a user of an identity provider, which has no password. */
  password: string | null;
  defaultProjectId: string;
  /** Role names by project id. */
  roles: Map<string, string[]>;
}

/** A request that an application credential allows: service type, method and full path with wildcards. */
export interface SimulatedAccessRule {
  id: string;
  userId: string;
  service: string;
  method: string;
  path: string;
}

export interface ApplicationCredential {
  id: string;
  name: string;
  description: string;
  secret: string;
  user: SimulatedUser;
  projectId: string;
  roles: string[];
  /** Milliseconds since 1970. Null for never. */
  expiresAt: number | null;
  /** Whether its tokens may create and delete application credentials. */
  unrestricted: boolean;
  /** Null: every request that the roles allow. */
  accessRules: SimulatedAccessRule[] | null;
  /** Its tokens become invalid. */
  isDeleted: boolean;
}

/** Users, projects and roles of the simulated Keystone. All in the domain `default`. */
export interface Directory {
  users: Map<string, SimulatedUser>;
  projects: Map<string, SimulatedProject>;
  applicationCredentials: Map<string, ApplicationCredential>;
  /** Rules by id. They remain after the deletion of their credentials, as in Keystone. */
  accessRules: Map<string, SimulatedAccessRule>;
  userByName(name: string): SimulatedUser | undefined;
  projectByName(name: string): SimulatedProject | undefined;
  roleId(name: string): string;
}

/** Built-in users: name, project, roles. All have the same password. */
const shippedUsers: [name: string, project: string, roles: string[]][] = [
  ['admin', 'admin', ['admin', 'member', 'reader']],
  ['administrator', 'admin', ['admin', 'member', 'reader']],
  ['vigil', 'service', ['service', 'admin', 'member', 'reader']],
  ['member', 'demo', ['member', 'reader']],
  ['reader', 'demo', ['reader']],
];

/** Signs in through the federation only, and has several projects. */
const federatedUser = { name: 'ann', projects: { admin: ['admin', 'member', 'reader'], demo: ['reader'] } };

/** All roles. */
export const roleNames = ['admin', 'service', 'manager', 'member', 'reader'] as const;

/** The built-in users, and the application credential `vigil` of the service user, whose secret is the password. */
export function createDirectory(state: CloudState, password: string): Directory {
  const users = new Map<string, SimulatedUser>();
  const applicationCredentials = new Map<string, ApplicationCredential>();
  const projectByName = (name: string) => [...state.projects.values()].find((project) => project.name === name);
  for (const [name, projectName, roles] of shippedUsers) {
    const projectId = projectByName(projectName)?.id ?? derivedHex(`project/${projectName}`);
    const id = derivedHex(`user/${name}`);
    users.set(id, { id, name, password, defaultProjectId: projectId, roles: new Map([[projectId, roles]]) });
  }
  const id = derivedHex(`user/${federatedUser.name}`);
  const roles = Object.entries(federatedUser.projects).map(
    ([project, names]) => [projectByName(project)?.id ?? derivedHex(`project/${project}`), names] as const,
  );
  const defaultProjectId = roles[0]?.[0] ?? '';
  users.set(id, { id, name: federatedUser.name, password: null, defaultProjectId, roles: new Map(roles) });
  const userByName = (name: string) => [...users.values()].find((user) => user.name === name);
  const adminProject = projectByName('admin');
  const service = userByName('vigil');
  if (service !== undefined && adminProject !== undefined) {
    service.roles.set(adminProject.id, ['admin', 'member', 'reader']);
    const projectId = service.defaultProjectId;
    const id = derivedHex('application-credential/vigil');
    const roles = service.roles.get(projectId) ?? [];
    applicationCredentials.set(id, {
      id,
      name: 'vigil',
      description: '',
      secret: password,
      user: service,
      projectId,
      roles,
      expiresAt: null,
      unrestricted: true,
      accessRules: null,
      isDeleted: false,
    });
  }
  return {
    users,
    projects: state.projects,
    applicationCredentials,
    accessRules: new Map(),
    userByName,
    projectByName,
    roleId: (name) => derivedHex(`role/${name}`),
  };
}
