import { InvalidInputError } from '#libs/domain';
import type { CallerIdentity } from '../http/request/request-context.ts';

/** A parsed check of a policy rule. */
export type PolicyCheck = (caller: CallerIdentity, allows: (rule: string) => boolean) => boolean;

/** A check together with the rules that it refers to. */
export interface ParsedRule {
  check: PolicyCheck;
  refersTo: readonly string[];
}

/**
 * Credentials that a check can compare with a text, such as `user_id:8f3…`. `is_admin` is `True` or `False` by the
 * role.
 */
const credentials: Record<string, (caller: CallerIdentity) => string | null> = {
  user_id: (caller) => caller.userId,
  user_name: (caller) => caller.userName,
  project_id: (caller) => caller.projectId,
  project_name: (caller) => caller.projectName,
  domain_id: (caller) => caller.domainId ?? null,
  system_scope: (caller) => caller.systemScope ?? null,
  is_admin: (caller) => (caller.roles.some((role) => role.toLowerCase() === 'admin') ? 'True' : 'False'),
};

/**
 * Parses a check in oslo.policy's language: `role:x`, `rule:y`, a credential such as `project_id:…` (also compared with
 * the caller's own, `%(project_id)s`), `@` (always), `!` (never), `and`, `or`, `not` and parentheses. Empty text allows
 * everyone.
 * @throws InvalidInputError naming `rule` when the text is not in that language.
 */
export function parsePolicyRule(rule: string, text: string): ParsedRule {
  const tokens = text.match(/(?:%\(\w+\)s|[^\s()])+|[()]/g) ?? [];
  if (tokens.length === 0) return { check: () => true, refersTo: [] };
  const parser = createParser(rule, tokens);
  const check = parser.either();
  if (parser.next() !== undefined) throw parser.fault(`"${tokens.join(' ')}" ends before "${parser.next()}"`);
  return { check, refersTo: parser.refersTo };
}

function createParser(rule: string, tokens: readonly string[]) {
  const refersTo: string[] = [];
  let at = 0;
  const next = () => tokens[at];
  const fault = (reason: string) => new InvalidInputError(rule, reason);
  const takeWord = (word: string): boolean => {
    if (next()?.toLowerCase() !== word) return false;
    at += 1;
    return true;
  };

  function either(): PolicyCheck {
    const parts = [both()];
    while (takeWord('or')) parts.push(both());
    return (caller, allows) => parts.some((part) => part(caller, allows));
  }

  function both(): PolicyCheck {
    const parts = [negated()];
    while (takeWord('and')) parts.push(negated());
    return (caller, allows) => parts.every((part) => part(caller, allows));
  }

  function negated(): PolicyCheck {
    if (!takeWord('not')) return single();
    const inner = negated();
    return (caller, allows) => !inner(caller, allows);
  }

  function single(): PolicyCheck {
    if (!takeWord('(')) return simple();
    const inner = either();
    if (!takeWord(')')) throw fault('a parenthesis is not closed');
    return inner;
  }

  function simple(): PolicyCheck {
    const token = next();
    if (token === undefined || token === ')') throw fault('a check is missing');
    at += 1;
    if (token === '@') return () => true;
    if (token === '!') return () => false;
    const colon = token.indexOf(':');
    const kind = token.slice(0, colon);
    const match = token.slice(colon + 1);
    if (colon <= 0 || match === '') throw fault(`"${token}" is not a check such as role:admin or rule:admin_api`);
    if (kind === 'role') return hasRole(match);
    if (kind === 'rule') {
      refersTo.push(match);
      return (_caller, allows) => allows(match);
    }
    return comparison(kind, match);
  }

  function comparison(kind: string, match: string): PolicyCheck {
    const credential = credentials[kind];
    if (!credential) throw fault(`"${kind}" is not a check: use role, rule, ${Object.keys(credentials).join(', ')}`);
    const named = /^%\((\w+)\)s$/.exec(match)?.[1];
    const other = named === undefined ? () => match : credentials[named];
    if (!other) throw fault(`"${match}" is not known: use ${Object.keys(credentials).join(', ')}`);
    return (caller) => credential(caller) !== null && credential(caller) === other(caller);
  }

  return { either, next, fault, refersTo };
}

function hasRole(role: string): PolicyCheck {
  const wanted = role.toLowerCase();
  return (caller) => caller.roles.some((held) => held.toLowerCase() === wanted);
}
