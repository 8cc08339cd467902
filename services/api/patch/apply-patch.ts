import { applyPatch as applyRfc6902 } from 'rfc6902';
import type { JsonObject, JsonValue } from '#libs/domain';
import { badRequest } from '../http/faults/fault.ts';
import { firstSegment, type PatchOperation, patchFault } from './patch-operations.ts';

/**
 * Applies a patch to a copy of a document whose top-level attributes are all there (null when unset). Returns the new
 * value of each attribute that was touched. A removed one is null.
 * @throws ApiFault 400 when an operation does not fit the document. Nothing is applied then.
 */
export function applyPatch(document: JsonObject, patch: readonly PatchOperation[]): Map<string, JsonValue> {
  const copy = structuredClone(document);
  for (const operation of patch) applyOne(copy, operation, patch);
  return new Map(patch.map(({ path }) => [firstSegment(path), copy[firstSegment(path)] ?? null]));
}

function applyOne(document: JsonObject, operation: PatchOperation, patch: readonly PatchOperation[]): void {
  const { op, path } = operation;
  const attribute = firstSegment(path);
  const known = Object.hasOwn(document, attribute);
  if (!known && op === 'add') {
    throw badRequest(`Adding a new attribute (${path}) to the root of  the resource is not allowed`);
  }
  const isTopLevel = path === `/${attribute}`;
  const last = path.split('/').at(-1) ?? '';
  if (!known) throw patchFault(patch, `can't ${op} a non-existent object '${last}'`);
  if (!isTopLevel && (typeof document[attribute] !== 'object' || document[attribute] === null)) {
    throw patchFault(patch, `'${last}' is not a valid sequence index`);
  }
  // A removed attribute stays known, so that a later operation of the same patch may set it again.
  if (isTopLevel) document[attribute] = op === 'remove' ? null : (operation.value ?? null);
  else applyInside(document, operation, patch, last);
}

function applyInside(
  document: JsonObject,
  operation: PatchOperation,
  patch: readonly PatchOperation[],
  last: string,
): void {
  const { op, path, value } = operation;
  if (Array.isArray(parentOf(document, path)) && !/^(\d+|-)$/.test(last)) {
    throw patchFault(patch, `'${last}' is not a valid sequence index`);
  }
  const standard = op === 'remove' ? { op, path } : { op, path, value: value ?? null };
  const [error] = applyRfc6902(document, [standard]);
  if (error) throw patchFault(patch, `can't ${op} a non-existent object '${last}'`);
}

/** The parent value of the last segment of a path. */
function parentOf(document: JsonObject, path: string): unknown {
  const segments = path.split('/').slice(1, -1);
  return segments.reduce<unknown>(
    (value, segment) => (typeof value === 'object' && value !== null ? Reflect.get(value, segment) : undefined),
    document,
  );
}
