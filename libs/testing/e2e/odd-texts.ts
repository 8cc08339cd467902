import type { Page } from 'playwright-core';

/** What no page may ever say, and what it is called. */
const oddities: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a value that is none', /\b(undefined|NaN|null|Infinity)\b|\[object/],
  ['a negative amount', /(?<![\w.:-])[-−]\d/],
  ['a raw uuid', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/],
  ['a name of the API', /(?<![/\w.$-])[a-z][a-z0-9]*(_[a-z0-9]+)+\b/],
  ['a name of the API', /\b[A-Z]+_[A-Z_]+\b/],
];

/** Text that is meant to be literal, or is an amount with a sign. */
const literal = 'code, pre, input, textarea, script, style, [data-literal]';

/** Evaluated in the page: every shown text by the block that it is in, spoken labels, and times with what they say. */
const readTexts = `(() => {
  const skipped = ${JSON.stringify(literal)};
  const blockTags = 'p, li, td, th, dd, dt, h1, h2, h3, h4, text, option, button, a, span, div';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const blocks = new Map();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest(skipped) || !parent.checkVisibility()) continue;
    const block = parent.closest(blockTags) ?? parent;
    blocks.set(block, (blocks.get(block) ?? '') + node.textContent);
  }
  const labels = [...document.querySelectorAll('[aria-label], [title]')].flatMap((element) =>
    element.closest(skipped) ? [] : [element.getAttribute('aria-label') ?? '', element.getAttribute('title') ?? '']);
  const times = [...document.querySelectorAll('time')].map((time) => [time.dateTime, time.textContent]);
  return { texts: [...blocks.values(), ...labels], times };
})()`;

/**
 * What the page shows that cannot be: values that are none, negative amounts, more than there is, raw uuids, names of the API in prose, and
 * times in the future of what has happened. A line each.
 */
export async function oddTexts(page: Page): Promise<string[]> {
  const { texts, times } = await page.evaluate<{ texts: string[]; times: string[][] }>(readTexts);
  const found = new Set<string>();
  for (const text of texts) {
    const short = text.replaceAll(/\s+/g, ' ').trim().slice(0, 160);
    for (const [name, pattern] of oddities) if (pattern.test(short)) found.add(`${name}: ${short}`);
    if (isTooMuch(short)) found.add(`more than there is: ${short}`);
  }
  for (const [at = '', text = ''] of times)
    if (Date.parse(at) < Date.now() && /^in /.test(text)) found.add(`past and yet to come: ${at} ${text}`);
  return [...found];
}

/** `9 of 8`, `120 %`. */
function isTooMuch(text: string): boolean {
  const number = (digits: string | undefined) => Number((digits ?? '').replaceAll(',', ''));
  for (const [, part, whole] of text.matchAll(/\b(\d[\d,.]*)(?: \w+)? of (\d[\d,.]*)\b/g))
    if (number(part) > number(whole)) return true;
  return [...text.matchAll(/\b(\d[\d,.]*)\s%/g)].some(([, share]) => number(share) > 100);
}
