/** 32-bit FNV-1a of a text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** Uniform number in [0, 1) that depends only on the three integers (murmur3's finalizer over their mix). */
export function hashUnit(seed: number, key: number, step: number): number {
  let h = (seed ^ Math.imul(key, 0x9e3779b1) ^ Math.imul(step | 0, 0x85ebca77)) | 0;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return (h >>> 0) / 4294967296;
}
