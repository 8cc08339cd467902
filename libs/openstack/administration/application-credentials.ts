import type { CloudCallOptions } from '../call-options.ts';
import { OpenStackError } from '../errors.ts';
import type { FieldReader } from '../http/field-reader.ts';
import type { Identity } from '../identity/identity.ts';
import type { ServiceClient } from '../service/service-client.ts';
import { type AccessRule, toKeystoneRules } from './access-rules.ts';

/** An application credential as Keystone lists it, without its secret. */
export interface ApplicationCredential {
  id: string;
  name: string;
  /** When it expires. Null: never. */
  expiresAt: Date | null;
  /** Ids of its access rules that allow changes. */
  writeRuleIds: string[];
}

/** The requested content of an application credential. */
export interface NewApplicationCredential {
  /** Unique for the user. */
  name: string;
  description: string;
  /** Names of roles that the user has in the project. Empty for all of them. */
  roles: readonly string[];
  expiresAt: Date;
  access: readonly AccessRule[];
}

/** The application credentials of this connection's user. */
export interface ApplicationCredentials {
  /**
   * Creates one for the project of the connection. It can create neither credentials nor trusts.
   * @throws OpenStackError when Keystone refuses, is unavailable, or when the rules are too many for one request.
   */
  create(
    credential: NewApplicationCredential,
    options?: CloudCallOptions,
  ): Promise<ApplicationCredential & { secret: string }>;
  list(options?: CloudCallOptions): Promise<ApplicationCredential[]>;
  /**
   * Deletes the credential, which revokes its tokens. Also deletes its rules that allow changes, unless another
   * credential uses them. A missing credential is not an error.
   */
  remove(credential: ApplicationCredential, options?: CloudCallOptions): Promise<void>;
}

const versions = { min: '3.0', max: '3.0' };

/** By default Keystone accepts bodies of at most 114,688 bytes. */
const longestBody = 110_000;

/** Access rules that are deleted in parallel. */
const rulesAtOnce = 4;

/** Application credentials over HTTP. Only reads are retried. */
export function createApplicationCredentials(client: ServiceClient, identity: Identity): ApplicationCredentials {
  async function userPath(options: CloudCallOptions | undefined): Promise<string> {
    const requester = await identity.requester(options);
    if (requester !== null) return `/users/${encodeURIComponent(requester.userId)}`;
    throw new OpenStackError('identity', 'GET /auth/tokens', 200, 'the token names no user');
  }

  async function remove(path: string, options: CloudCallOptions | undefined): Promise<void> {
    try {
      await client.send({ method: 'DELETE', path, versions, options });
    } catch (error) {
      if (!(error instanceof OpenStackError && error.status === 404)) throw error;
    }
  }

  async function removeRule(user: string, id: string, options: CloudCallOptions | undefined): Promise<void> {
    try {
      await remove(`${user}/access_rules/${encodeURIComponent(id)}`, options);
    } catch (error) {
      // Another credential uses the rule.
      if (!(error instanceof OpenStackError && error.status === 403)) throw error;
    }
  }

  return {
    async create({ name, description, roles, expiresAt, access }, options) {
      const rules = await toKeystoneRules(identity, access);
      // Without rules, Keystone would not restrict the credential.
      if (rules.length === 0) throw new OpenStackError('identity', 'access rules', 400, 'there is no access to grant');
      const body = {
        application_credential: {
          name,
          description,
          unrestricted: false,
          expires_at: expiresAt.toISOString().replace('Z', '000'),
          ...(roles.length === 0 ? {} : { roles: roles.map((role) => ({ name: role })) }),
          access_rules: rules,
        },
      };
      const { length } = JSON.stringify(body);
      const path = `${await userPath(options)}/application_credentials`;
      if (length > longestBody) {
        const detail = `${rules.length} access rules (${length} bytes) are too many for one application credential`;
        throw new OpenStackError('identity', `POST ${path}`, 413, detail);
      }
      const response = await client.read({ method: 'POST', path, body, versions, options });
      const created = response.object('application_credential');
      return { ...parseCredential(created), secret: created.text('secret') };
    },
    async list(options) {
      const path = `${await userPath(options)}/application_credentials`;
      const response = await client.read({ method: 'GET', path, versions, options });
      return response.list('application_credentials').map(parseCredential);
    },
    async remove({ id, writeRuleIds }, options) {
      const user = await userPath(options);
      await remove(`${user}/application_credentials/${encodeURIComponent(id)}`, options);
      const left = [...writeRuleIds];
      const removeSome = async () => {
        for (let rule = left.pop(); rule !== undefined; rule = left.pop()) await removeRule(user, rule, options);
      };
      await Promise.all(Array.from({ length: rulesAtOnce }, removeSome));
    },
  };
}

function parseCredential(fields: FieldReader): ApplicationCredential {
  const expires = fields.optionalText('expires_at');
  const writing = fields.listOr('access_rules').filter((rule) => !['GET', 'HEAD'].includes(rule.text('method')));
  return {
    id: fields.text('id'),
    name: fields.text('name'),
    expiresAt: expires === null ? null : new Date(`${expires.replace(/Z$/, '')}Z`),
    writeRuleIds: writing.map((rule) => rule.text('id')),
  };
}
