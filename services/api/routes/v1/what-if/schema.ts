import { Type } from 'typebox';
import { whatIfLimits, whatIfLosses, whatIfQuestions } from '#libs/domain';
import { whatIfSchemas } from '#libs/messaging';
import { optionalText, strict, words } from '../../../openapi/shared-schemas.ts';

const ratio = (description: string) =>
  Type.Optional(Type.Number({ minimum: whatIfLimits.ratio.least, maximum: whatIfLimits.ratio.most, description }));

/** Components of what-if questions and their responses. */
export const whatIfComponents = [
  Type.Object(
    {
      question: words(
        whatIfQuestions,
        'Hosts are lost, added or emptied (`remove`), instances placed or moved, or ratios changed.',
      ),
      kind: Type.Optional(words(whatIfLosses, 'Of `lose`: the names are those of hosts, racks or zones.')),
      names: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
          maxItems: whatIfLimits.names,
          description: 'Of `lose` and `remove`, at least one. Of `ratio`: hosts; all when absent.',
        }),
      ),
      count: Type.Optional(
        Type.Unsafe({
          type: ['integer', 'null'],
          minimum: 1,
          maximum: whatIfLimits.placed,
          description: 'Hosts to `add` (at most 1,000), or instances to `place`; null: as many as fit.',
        }),
      ),
      like: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Of `add`: host to copy.' })),
      flavor: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Of `place`: name or id.' })),
      zone: optionalText('Of `place`: availability zone; any when absent.'),
      project_id: optionalText('Of `place`: project of the instances; that of the caller when absent.'),
      boot_from_volume: Type.Optional(
        Type.Boolean({ default: false, description: 'Of `place`: the root disk is a volume.' }),
      ),
      ratios: Type.Optional(
        Type.Object(
          {
            cpu: ratio('Of VCPU.'),
            memory: ratio('Of MEMORY_MB.'),
            disk: ratio('Of DISK_GB.'),
          },
          { ...strict, description: 'Of `ratio`: at least one allocation ratio.' },
        ),
      ),
      moves: Type.Optional(
        Type.Array(
          Type.Object(
            {
              instance: Type.String({
                minLength: 1,
                maxLength: 255,
                description: 'Uuid, or a name that only one has.',
              }),
              host: Type.String({ minLength: 1, maxLength: 255 }),
            },
            strict,
          ),
          { maxItems: whatIfLimits.moved, description: 'Of `move`, at least one: each is judged after those before.' },
        ),
      ),
    },
    { $id: 'WhatIfRequest', ...strict },
  ),
  ...whatIfSchemas,
];
