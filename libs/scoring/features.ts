import { InvalidInputError, messageOf } from '#libs/domain';

/**
 * Features as a JSON list of finite numbers: exactly `length` of them, or at least one when it is not given. Throws
 * InvalidInputError (field `features`).
 */
export function parseFeatures(text: string, length?: number): number[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidInputError('features', `must be a JSON list of numbers: ${messageOf(error)}`);
  }
  if (!Array.isArray(value)) throw new InvalidInputError('features', 'must be a JSON list of numbers');
  const wrong = value.find((item) => typeof item !== 'number' || !Number.isFinite(item));
  if (wrong !== undefined) throw new InvalidInputError('features', `${JSON.stringify(wrong)} is not a number`);
  if (length === undefined ? value.length === 0 : value.length !== length) {
    throw new InvalidInputError('features', `must have ${length ?? 'at least 1'} numbers, not ${value.length}`);
  }
  return value;
}
