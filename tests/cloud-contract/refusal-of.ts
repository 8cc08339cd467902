import assert from 'node:assert/strict';
import { OpenStackError } from '#libs/openstack';

/** Returns the refusal of the call. Throws an AssertionError when the call is accepted. */
export async function refusalOf(call: Promise<unknown>): Promise<OpenStackError> {
  const refusal = await refusalOrNone(call);
  assert.ok(refusal !== null, 'the call was expected to be refused');
  return refusal;
}

/** Returns the refusal of the call, or null when the call is accepted. */
export async function refusalOrNone(call: Promise<unknown>): Promise<OpenStackError | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof OpenStackError) return error;
    throw error;
  }
}
