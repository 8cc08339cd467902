// The habits of wording that `npm run check` refuses, each with the words that replace it. CONTRIBUTING.md shows the
// table to people.

/** People, after which `who` is correct. */
const people =
  'administrators?|approvers?|attackers?|authors?|callers?|customers?|developers?|members?|newcomers?|operators?|owners?|people|persons?|readers?|requesters?|someone|strangers?|users?';

/**
 * Rules by name. `pattern` is global and finds the habit in one text. `kinds` limits a rule to kinds of texts. The
 * default is every kind.
 * @type {{ name: string, pattern: RegExp, instead: string, kinds?: readonly string[] }[]}
 */
export const proseRules = [
  { name: 'what', pattern: /\bwhat(?!-if|if\b)(ever)?\b/gi, instead: 'name the thing' },
  { name: 'asks', pattern: /\bask(s|ed|ing)?\b/gi, instead: 'requests, queries, calls' },
  { name: 'answers', pattern: /\banswer(s|ed|ing)?\b/gi, instead: 'returns, responds; response, result' },
  {
    name: 'who',
    pattern: new RegExp(`(?<!\\b(?:${people}),? )\\bwho(ever|m)?\\b|\\b(some|no|any|every)body('s)?\\b`, 'gi'),
    instead: 'the process, the caller, the operator, nothing',
  },
  { name: 'begins', pattern: /\b[Bb](egin(s|ning)?|egan|egun)\b/g, instead: 'starts; start; the first' },
  { name: 'looks', pattern: /\blook(s|ed|ing)?\b(?![ -]?up\b)/gi, instead: 'checks, polls, reads' },
  { name: 'tells', pattern: /\b(tell(s|ing)?|told)\b/gi, instead: 'reports, logs, publishes' },
  { name: 'its own', pattern: /\bof (its|their|his|my|your|our) own\b/gi, instead: 'separate' },
  { name: 'by itself', pattern: /\b(by|for) (itself|themselves)\b/gi, instead: 'automatically, alone, or nothing' },
  { name: 'there is', pattern: /\b(that|as) (there|it) (is|are|was|were)\b(?! (not|no)\b)/gi, instead: 'cut it' },
  {
    name: 'goes on',
    pattern: /\b(go|goes|going|went|gone|come|comes|coming|came) (on|back)\b(?! to\b)/gi,
    instead: 'continues, returns',
  },
  { name: 'away', pattern: /\baway\b|\bgone\b/g, instead: 'unavailable, removed' },
  { name: 'meanwhile', pattern: /\bmeanwhile\b|\bso long\b(?! as)/gi, instead: 'while …, until …' },
  { name: 'any more', pattern: /\bany more\b/gi, instead: 'no longer' },
  { name: 'for ever', pattern: /\bfor (ever|good)\b/gi, instead: 'forever, permanently' },
  { name: 'under way', pattern: /\bunder way\b|\bto and fro\b/gi, instead: 'in progress; back and forth' },
  { name: 'of now', pattern: /(?<!instead )\bof now\b/gi, instead: 'current' },
  { name: 'cron text', pattern: /\bcron texts?\b/gi, instead: 'cron expression' },
  { name: 'picture', pattern: /\bpictures? of (the|a) cloud\b/gi, instead: 'model of the cloud' },
  { name: 'semicolon', pattern: /[a-z)`'"]; (?=[a-z`])/g, instead: 'two sentences', kinds: ['comment'] },
];

/** The longest line of a comment, in columns. */
export const commentColumns = 120;
