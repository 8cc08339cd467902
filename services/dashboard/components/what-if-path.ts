import type { WhatIfRequest } from '#libs/client';

/** Questions of the page, in the order of the form. */
export const whatIfQuestions = ['lose', 'remove', 'add', 'place', 'ratio', 'move'] as const;
export type WhatIfQuestion = (typeof whatIfQuestions)[number];

/** Parts of the cloud that may be lost. */
export const lostKinds = ['host', 'rack', 'zone'] as const;
type LostKind = (typeof lostKinds)[number];

/** Resources with an allocation ratio. */
export const ratioNames = ['cpu', 'memory', 'disk'] as const;

/** A what-if question as the form and the URL have it. Numbers are texts as typed. */
export interface WhatIfForm {
  question: WhatIfQuestion;
  /** Of `lose`. */
  kind: LostKind;
  /** Of `lose`, `remove` and `ratio`. */
  names: readonly string[];
  /** Of `add` and `place`. */
  count: string;
  /** Of `add`. */
  like: string;
  /** Of `place`. */
  flavor: string;
  zone: string;
  isFromVolume: boolean;
  /** Of `ratio`. */
  ratios: Readonly<Record<(typeof ratioNames)[number], string>>;
  /** Of `move`, in their order. Instances by uuid, or by the name that a link has. */
  moves: readonly { instance: string; host: string }[];
}

/** The form of a page without a question. */
export const emptyWhatIf: WhatIfForm = {
  ...{ question: 'lose', kind: 'host', names: [], count: '', like: '', flavor: '', zone: '' },
  ...{ isFromVolume: false, ratios: { cpu: '', memory: '', disk: '' } },
  moves: [],
};

/** The query of a question: its permanent link. Fields of other questions are left out. */
export function whatIfQuery(form: WhatIfForm): URLSearchParams {
  const given = parameters[form.question](form).filter(([, value]) => value !== '');
  return new URLSearchParams([['question', form.question], ...given]);
}

type Parameter = [name: string, value: string];

const namesOf = ({ names }: WhatIfForm) => names.map((name): Parameter => ['name', name]);

const parameters: Record<WhatIfQuestion, (form: WhatIfForm) => Parameter[]> = {
  lose: (form) => [['kind', form.kind], ...namesOf(form)],
  remove: namesOf,
  add: ({ count, like }) => [
    ['count', count],
    ['like', like],
  ],
  place: ({ count, flavor, zone, isFromVolume }) => [
    ['count', count],
    ['flavor', flavor],
    ['in', zone],
    ['volume', isFromVolume ? 'true' : ''],
  ],
  ratio: (form) => [...ratioNames.map((name): Parameter => [name, form.ratios[name]]), ...namesOf(form)],
  move: ({ moves }) =>
    moves.flatMap(({ instance, host }): Parameter[] => [
      ['instance', instance],
      ['host', host],
    ]),
};

/** Path of the page with a question. */
export function whatIfPath(start: Partial<WhatIfForm>): string {
  return `/what-if?${whatIfQuery({ ...emptyWhatIf, ...start })}`;
}

/** The form of a query of `whatIfQuery`. Unknown words become those of an empty form. */
export function whatIfFormOf(query: URLSearchParams): WhatIfForm {
  const text = (name: string) => query.get(name) ?? '';
  return {
    question: whatIfQuestions.find((known) => known === text('question')) ?? emptyWhatIf.question,
    kind: lostKinds.find((known) => known === text('kind')) ?? emptyWhatIf.kind,
    names: query.getAll('name'),
    ...{ count: text('count'), like: text('like'), flavor: text('flavor'), zone: text('in') },
    isFromVolume: text('volume') === 'true',
    ratios: { cpu: text('cpu'), memory: text('memory'), disk: text('disk') },
    moves: query.getAll('instance').flatMap((instance, at) => {
      const host = query.getAll('host')[at];
      return host === undefined ? [] : [{ instance, host }];
    }),
  };
}

/** The request of a form. Null while the form is not complete. */
export function whatIfRequestOf(form: WhatIfForm): WhatIfRequest | null {
  return requests[form.question](form);
}

const requests: Record<WhatIfQuestion, (form: WhatIfForm) => WhatIfRequest | null> = {
  lose: ({ kind, names }) => (names.length === 0 ? null : { question: 'lose', kind, names: [...names] }),
  remove: ({ names }) => (names.length === 0 ? null : { question: 'remove', names: [...names] }),
  add: ({ count, like }) => (isCount(count) && like !== '' ? { question: 'add', count: Number(count), like } : null),
  place: ({ flavor, count, zone, isFromVolume }) =>
    flavor === '' || (count !== '' && !isCount(count))
      ? null
      : {
          ...{ question: 'place', flavor, boot_from_volume: isFromVolume },
          ...(count === '' ? {} : { count: Number(count) }),
          ...(zone === '' ? {} : { zone }),
        },
  ratio({ ratios, names }) {
    const given = ratioNames.filter((name) => ratios[name] !== '');
    if (given.length === 0 || given.some((name) => !(Number(ratios[name]) > 0))) return null;
    return {
      question: 'ratio',
      ratios: Object.fromEntries(given.map((name) => [name, Number(ratios[name])])),
      names: [...names],
    };
  },
  move: ({ moves }) => (moves.length === 0 ? null : { question: 'move', moves: moves.map((move) => ({ ...move })) }),
};

const isCount = (text: string) => /^[1-9]\d*$/.test(text);
