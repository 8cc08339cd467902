import { readFileSync } from 'node:fs';
import { createPolicy } from '../services/api/auth/policy.ts';
import { anonymousCaller } from '../services/api/http/request/request-context.ts';
import { mayUse, type RouteRules, rulesOfRoute } from '../services/api/route-rules.ts';

/** Columns: a caller without a token, with any other role, and with the roles of the default policy. */
const roles = [null, 'reader', 'service', 'admin'] as const;
const documents = ['vigil', 'internal'];

interface ApiDocument {
  paths: Record<string, Record<string, unknown>>;
}

/** Markdown page with every route of the API, its policy rules, and the roles that may use it by default. */
export function renderPermissionDocs(): string {
  const routes = documents.flatMap((name) => {
    const { paths } = JSON.parse(readFileSync(`openapi/${name}.json`, 'utf8')) as ApiDocument;
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
  });
  return `# Permissions

All routes with their policy rules, and the roles that may use them by the default policy. All rules of a route must
allow the request. The default policy is Watcher's: roles other than \`admin\`, \`administrator\` and \`service\` can only read the
version. \`vigil policy\` prints this table for your \`VIGIL_POLICY_FILE\`. As in Watcher, rules have no scope types, so
\`enforce_scope\` of oslo.policy has no effect. A rule that requires a scope contains \`system_scope:all\`. \`npm run docs\`
generates this page, and a test compares it with the running API.

\`/healthz\`, \`/readyz\`, \`/metrics\`, \`/docs\`, \`/openapi.json\` and the files of the dashboard need no token. Some
requests need further rules:

* \`action_plan:start\`: \`PATCH\` of a plan to the state \`PENDING\`, \`POST\` of an audit with
  \`auto_trigger\`, and \`PATCH\`
  of an audit that sets \`auto_trigger\` or changes the plans of an audit with it.
* \`action_plan:remove_instances\`: the start of a plan that deletes or shelves instances. Such a plan never starts
  automatically.
* \`action_plan:approve\`: also for the role \`approver\`. The user who requested a plan may neither approve
  nor refuse it
  (see [approval](approval.md)).
* \`action_plan:get_comments\`: by default the same as \`action_plan:get\`. \`action_plan:comment\` allows
  users who may
  update, start or approve plans.
* \`POST /v1/webhooks/alertmanager/{audit}\` needs the alert token of the audit as bearer token. No identity
  replaces it.

A changed policy also applies to the plans of existing audits: the rules are evaluated again for the stored user and
roles.

| route | rules | no token | other roles | \`service\` | \`admin\` |
| --- | --- | --- | --- | --- | --- |
${routes.map(renderRow).join('\n')}
`;
}

function renderRow(route: string): string {
  const rules = rulesOfRoute(route);
  if (rules === undefined) throw new Error(`services/api/route-rules.ts has no rules for ${route}`);
  const policy = createPolicy();
  const cells = roles.map((role) =>
    mayUse(policy, rules, role === null ? null : { ...anonymousCaller, roles: [role] }) ? 'yes' : 'no',
  );
  return `| \`${route}\` | ${rulesText(rules)} | ${cells.join(' | ')} |`;
}

function rulesText(rules: RouteRules): string {
  if (rules === 'public') return 'none';
  if (rules === 'each kind') return 'the rule of each followed kind, such as `action:get`';
  if (rules === 'alert token') return 'the alert token of the audit';
  return rules.length === 0 ? 'a token' : rules.map((rule) => `\`${rule}\``).join(', ');
}
