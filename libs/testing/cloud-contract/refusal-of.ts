import assert from 'node:assert/strict';
import { OpenStackError } from '#libs/openstack';

/** The error with which the cloud refuses a call. */
export async function refusalOf(call: Promise<unknown>): Promise<OpenStackError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof OpenStackError) return error;
    throw error;
  }
  assert.fail('the call was expected to be refused');
}
