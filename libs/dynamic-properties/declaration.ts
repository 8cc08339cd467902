import { InvalidInputError } from '#libs/domain';

/**
 * A property of entities that is not stored with them. A loader queries its owner, and the value is cached for a while.
 */
export interface PropertyDeclaration {
  /** Kind of the entity, such as `server`. */
  kind: string;
  name: string;
  /** Description. */
  description: string;
  /** JSON Schema of the value. A mismatch is an error. */
  schema: object;
  /** How long a value is as good as new; 0: never kept, every read loads. At most a day. */
  ttlSeconds: number;
  /** Concurrent readers of all processes cause one call of the loader. Without it, those of one process. */
  locked: boolean;
  /** How long after its time to live a value is still shown while it is loaded anew. */
  staleWhileRevalidateSeconds: number;
  /** How long a load may take, and a reader waits at most. 1 to 120. */
  timeoutSeconds: number;
  /** Service that the loader calls, such as `nova`: its calls are limited together. */
  backend: string;
  /** Requests the value. Null is one. Throws NotFoundError when there is no such entity. */
  load(id: string, signal: AbortSignal): Promise<unknown>;
}

const word = /^[a-z][a-z0-9_]*$/;

/**
 * Checks declarations as a set.
 * @throws InvalidInputError naming the property and its fault.
 */
export function checkDeclarations(declarations: readonly PropertyDeclaration[], backends: readonly string[]): void {
  const seen = new Set<string>();
  for (const declaration of declarations) {
    const label = `${declaration.kind}.${declaration.name}`;
    const fault = seen.has(label) ? 'is declared twice' : faultOf(declaration, backends);
    if (fault) throw new InvalidInputError(label, fault);
    seen.add(label);
  }
}

function faultOf(declaration: PropertyDeclaration, backends: readonly string[]): string | null {
  const { kind, name, ttlSeconds, staleWhileRevalidateSeconds: stale, timeoutSeconds, locked, backend } = declaration;
  if (!word.test(kind) || !word.test(name)) return 'kind and name must be lower-case words';
  if (!(ttlSeconds >= 0 && ttlSeconds <= 86_400)) return 'ttlSeconds must be between 0 and 86400';
  if (!(stale >= 0 && stale <= 86_400)) return 'staleWhileRevalidateSeconds must be between 0 and 86400';
  if (!(timeoutSeconds >= 1 && timeoutSeconds <= 120)) return 'timeoutSeconds must be between 1 and 120';
  if (ttlSeconds === 0 && (locked || stale > 0)) return 'is never kept, so it can be neither locked nor stale';
  return backends.includes(backend) ? null : `has the backend ${backend}, which has no limits`;
}

/** Name of a property in errors, logs and metrics. */
export function labelOf({ kind, name }: PropertyDeclaration): string {
  return `${kind}.${name}`;
}
