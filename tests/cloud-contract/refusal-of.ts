import assert from 'node:assert/strict';
import { OpenStackError } from '#libs/openstack';

/** The refusal that the call is to end with. Throws an AssertionError when it is taken. */
export async function refusalOf(call: Promise<unknown>): Promise<OpenStackError> {
  const refusal = await refusalOrNone(call);
  assert.ok(refusal !== null, 'the call was expected to be refused');
  return refusal;
}

/** The refusal that the call ends with, or null when it is taken. */
export async function refusalOrNone(call: Promise<unknown>): Promise<OpenStackError | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof OpenStackError) return error;
    throw error;
  }
}
